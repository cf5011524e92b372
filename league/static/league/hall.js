// The hall's screen: its parts in turn. The clock of the round is clock.js.
const SHOW = 12000; // ms that a part stands

let shown = 0;
function parts() {
  return [...document.querySelectorAll("[data-hall-part]")];
}

function turn() {
  const all = parts();
  all.forEach((part, number) => { part.hidden = all.length > 1 && number !== shown % all.length; });
}

document.addEventListener("live:swapped", turn);
setInterval(() => { shown += 1; turn(); }, SHOW);
turn();
