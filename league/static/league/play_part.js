// What stays, and what is said, when the part of a table that follows the game is replaced: after one's own act by htmx,
// after the acts of others by live.js.
//   <div id="live" data-round="3" data-reveal="Cups up! …" data-turn="Your turn."> … <li data-say="Karla: 7 fours.">
// Each bid is said once, in its order; then whose turn it is.

const part = () => document.getElementById("live");
const spoken = { round: "", bids: 0, turn: "" };
const kept = { unfolded: [], focus: "", held: false };

function newWords() {
  const { round = "", reveal = "", turn = "" } = part().dataset;
  const bids = [...part().querySelectorAll("[data-say]")].map((bid) => bid.dataset.say);
  const words = [];
  if (round !== spoken.round) {
    if (spoken.round && reveal) words.push(reveal);
    spoken.bids = 0;
  }
  words.push(...bids.slice(spoken.bids));
  if (turn && (words.length || turn !== spoken.turn)) words.push(turn);
  Object.assign(spoken, { round, bids: bids.length, turn });
  return words;
}

function tell() {
  const words = newWords();
  if (words.length) document.getElementById("announce").textContent = words.join(" ");
}

function before() {
  const active = document.activeElement;
  kept.unfolded = [...part().querySelectorAll("details[id][open]")].map(({ id }) => id);
  kept.held = part().contains(active);
  kept.focus = active?.id ?? "";
}

// Where what had the focus is gone, the heading of the part gets it, so that Tab goes on from there.
function after() {
  for (const id of kept.unfolded) {
    const same = document.getElementById(id);
    if (same) same.open = true;
  }
  if (kept.held && !part().contains(document.activeElement)) {
    const same = kept.focus && document.getElementById(kept.focus);
    (same || part().querySelector("h2[tabindex]"))?.focus({ preventScroll: true });
  }
  tell();
}

document.addEventListener("htmx:before:swap", before);
document.addEventListener("htmx:after:swap", after);
document.addEventListener("live:swapped", tell);
if (part()) newWords();
