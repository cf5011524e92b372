// The hall's screen: its parts in turn, each as large as the screen has room for. The clock of the round is clock.js.
const SHOW = 12000; // ms that a part stands
const LEAST = 16; // px of its letters at least
const MOST = 160;
const COLUMNS = [1, 2, 3, 4, 5, 6, 7, 8];

let shown = 0;
function parts() {
  return [...document.querySelectorAll("[data-hall-part]")];
}

// In so many columns, the largest letters with which a part ends above the foot of the screen, and every name stands in
// one line.
function largest(part, columns, room) {
  part.style.setProperty("--columns", columns);
  const lines = [...part.querySelectorAll("li, h3, p")];
  const holds = (size) => {
    part.style.fontSize = `${size}px`;
    return part.offsetHeight <= room && lines.every((line) => line.scrollWidth <= line.clientWidth);
  };
  let [low, high] = [LEAST, MOST];
  if (!holds(low)) return 0;
  while (high - low > 1) {
    const size = (low + high) / 2;
    if (holds(size)) low = size;
    else high = size;
  }
  return low;
}

// As many columns as give the largest letters; where nothing fits, the page is scrolled.
function fit(part) {
  part.classList.add("fitted");
  part.style.minHeight = "";
  const room = Math.floor(innerHeight - part.getBoundingClientRect().top - scrollY - 16);
  const sizes = COLUMNS.map((columns) => largest(part, columns, room));
  const size = Math.max(...sizes);
  part.classList.toggle("fitted", size > 0);
  part.style.setProperty("--columns", COLUMNS[sizes.indexOf(size)]);
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

document.addEventListener("live:swapped", turn);
addEventListener("resize", turn);
document.fonts.ready.then(turn);
setInterval(() => {
  shown += 1;
  turn();
}, SHOW);
turn();
