// The screen in the hall shows its parts in turn, each as large as fits. clock.js runs the clock.
const SHOW = 12_000; // ms for which a part is shown
const LEAST = 16; // px of its letters at least
const MOST = 160;
const COLUMNS = [1, 2, 3, 4, 5, 6, 7, 8];

let shown = 0;

function parts() {
  return [...document.querySelectorAll("[data-hall-part]")];
}

/**
 * Find the largest letters, in px, with which a part in some columns fits above the foot of the
 * screen and every name stands in one line. Return 0 if none fit.
 * @param {HTMLElement} part
 * @param {number} columns
 * @param {number} room height in px
 */
function largest(part, columns, room) {
  part.style.setProperty("--columns", String(columns));
  const lines = [...part.querySelectorAll("li, h3, p")];
  const fits = (/** @type {number} */ size) => {
    part.style.fontSize = `${size}px`;
    return part.offsetHeight <= room && lines.every((line) => line.scrollWidth <= line.clientWidth);
  };
  let low = LEAST;
  let high = MOST;
  if (!fits(low)) return 0;
  while (high - low > 1) {
    const size = (low + high) / 2;
    if (fits(size)) low = size;
    else high = size;
  }
  return low;
}

/**
 * Take the number of columns that gives the largest letters. Where nothing fits, the page scrolls.
 * @param {HTMLElement} part
 */
function fit(part) {
  part.classList.add("fitted");
  part.style.minHeight = "";
  const room = Math.floor(innerHeight - part.getBoundingClientRect().top - scrollY - 16);
  const sizes = COLUMNS.map((columns) => largest(part, columns, room));
  const size = Math.max(...sizes);
  const columns = COLUMNS[sizes.indexOf(size)];
  part.classList.toggle("fitted", size > 0);
  part.style.setProperty("--columns", String(columns));
  part.style.fontSize = size ? `${size}px` : "";
  part.style.minHeight = size ? `${room}px` : "";
}

function turn() {
  const all = parts();
  all.forEach((part, number) => {
    part.hidden = all.length > 1 && number !== shown % all.length;
  });
  all.filter((part) => !part.hidden).forEach(fit);
}

function turnOn() {
  shown += 1;
  turn();
}

document.addEventListener("live:swapped", turn);
addEventListener("resize", turn);
document.fonts.ready.then(turn);
setInterval(turnOn, SHOW);
turn();
