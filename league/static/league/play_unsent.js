// What is chosen for a move and not sent yet. It stays when acts of others replace the form, after a
// reload, and on another device on which the same seat is opened. Nothing is said if that fails.
//   <form id="act" data-unsent-url="…" data-unsent-move='{"field": ["5"], "roll": ["0", "2"]}'>
// The page tells what the server has. The tab itself keeps over a reload what the server doesn't have
// yet; in practice, where there is no such address, that is everything.

const KEY = `play-unsent:${location.pathname}`;
const PAUSE = 1000; // ms from a tap until it is sent, with those that follow
const act = () => document.getElementById("act");
let unsent = stored();
let timer;

// A choice is that of one move: once somebody has acted, it is forgotten. A roll of Lügen-Kniffel stays
// the same, though, when somebody else leaves.
function move() {
  return act()?.dataset.roll ?? act()?.querySelector("input[name=length]")?.value;
}

const choosers = () =>
  [...act().elements].filter(({ type }) => /^(radio|checkbox|select-one)$/.test(type));
const isChosen = ({ type, checked }) => checked || type === "select-one";

function stored() {
  try {
    return JSON.parse(sessionStorage.getItem(KEY));
  } catch {
    return null; // a browser that keeps nothing begins again
  }
}

function store(choice) {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(choice));
  } catch {
    // a browser that keeps nothing begins again
  }
}

export function keepUnsent() {
  const chosen = {};
  for (const { name, value } of choosers().filter(isChosen)) (chosen[name] ??= []).push(value);
  unsent = { move: move(), chosen };
  store(unsent);
  sendSoon();
}

function sendSoon() {
  timer ??= setTimeout(send, PAUSE);
}

async function send() {
  clearTimeout(timer);
  timer = undefined;
  const url = act()?.dataset.unsentUrl;
  if (!url || unsent?.move !== move()) return;
  const sent = unsent;
  const body = new URLSearchParams(new FormData(act()));
  try {
    const answer = await fetch(url, { method: "POST", body, keepalive: true });
    if (answer.ok && sent === unsent) store(null);
  } catch {
    // sent again when the form is replaced or the page is hidden
  }
}

// What this tab chose for the move goes before what the server has.
export function restoreUnsent() {
  if (!act()) return;
  const isOwn = unsent !== null && unsent.move === move();
  const chosen = isOwn ? unsent.chosen : JSON.parse(act().dataset.unsentMove ?? "null");
  if (!chosen) return;
  for (const input of choosers()) {
    const values = chosen[input.name] ?? [];
    if (input.type === "select-one") input.value = values[0] ?? "";
    else input.checked = values.includes(input.value);
  }
  const folded = act().querySelector("details input:checked")?.closest("details");
  if (folded) folded.open = true;
  if (isOwn && stored()) sendSoon();
}

document.addEventListener("visibilitychange", () => {
  if (document.hidden && stored()) send();
});
