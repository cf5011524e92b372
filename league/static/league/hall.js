// The hall's screen: its parts in turn, each as large as the screen has room for. The clock of the round is clock.js.
const SHOW = 12000; // ms that a part stands
const LEAST = 16; // px of its letters at least
const MOST = 160;

let shown = 0;
function parts() {
  return [...document.querySelectorAll("[data-hall-part]")];
}

// The largest letters with which a part ends above the foot of the screen, and every name stands in its line.
function fit(part) {
  const room = innerHeight - part.getBoundingClientRect().top - scrollY - 16;
  const holds = (size) => {
    part.style.fontSize = `${size}px`;
    const lines = [...part.querySelectorAll("h3, li, li span")];
    return part.offsetHeight <= room && part.scrollWidth <= part.clientWidth && lines.every((line) => line.getClientRects().length < 2 && line.offsetHeight < 1.9 * parseFloat(getComputedStyle(line).fontSize));
  };
  let [low, high] = [LEAST, MOST];
  while (high - low > 1) {
    const size = (low + high) / 2;
    if (holds(size)) low = size;
    else high = size;
  }
  holds(low);
}

function turn() {
  const all = parts();
  all.forEach((part, number) => { part.hidden = all.length > 1 && number !== shown % all.length; });
  all.filter((part) => !part.hidden).forEach(fit);
}

document.addEventListener("live:swapped", turn);
addEventListener("resize", turn);
document.fonts.ready.then(turn);
setInterval(() => { shown += 1; turn(); }, SHOW);
turn();
