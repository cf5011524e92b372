// Keeps what is chosen for a move and not sent yet: when acts of others replace the form, after a
// reload, and on another device on which the same seat is opened. If that fails, nothing is said.
//   <form id="act" data-unsent-url="…" data-unsent-move='{"field": ["5"], "roll": ["0", "2"]}'>
// The page holds what the server knows. The tab itself keeps what the server doesn't know yet over
// a reload; in practice games, which have no such address, that is everything.

/** @typedef {{ move: string | undefined, chosen: Record<string, string[]> }} UnsentMove */
/** @typedef {HTMLInputElement | HTMLSelectElement} Chooser */

const KEY = `play-unsent:${location.pathname}`;
const PAUSE = 1000; // ms from a tap until it is sent, with those that follow
const act = () => document.getElementById("act");
let unsent = stored();
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/**
 * Return the name of the move. A choice is forgotten once somebody has acted. A roll of
 * Lügen-Kniffel stays the same, though, when somebody else leaves.
 * @param {HTMLFormElement | null} form
 */
function moveOf(form) {
  return form?.dataset.roll ?? form?.querySelector("input[name=length]")?.value;
}

/**
 * @param {HTMLFormElement} form
 * @returns {Chooser[]}
 */
function choosers(form) {
  const fields = /** @type {Chooser[]} */ ([...form.elements]);
  return fields.filter(({ type }) => /^(radio|checkbox|select-one)$/.test(type));
}

/** @param {Chooser} field */
function isChosen(field) {
  return field instanceof HTMLSelectElement || field.checked;
}

/** @returns {UnsentMove | null} */
function stored() {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? "null");
  } catch {
    return null; // a browser that keeps nothing begins again
  }
}

/** @param {UnsentMove | null} choice */
function store(choice) {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(choice));
  } catch {
    // a browser that keeps nothing begins again
  }
}

/** Keep what is chosen in the form, and send it soon. */
export function keepUnsent() {
  const form = act();
  if (!form) return;
  /** @type {Record<string, string[]>} */
  const chosen = {};
  for (const { name, value } of choosers(form).filter(isChosen)) (chosen[name] ??= []).push(value);
  unsent = { move: moveOf(form), chosen };
  store(unsent);
  sendSoon();
}

function sendSoon() {
  timer ??= setTimeout(send, PAUSE);
}

async function send() {
  clearTimeout(timer);
  timer = undefined;
  const form = act();
  const url = form?.dataset.unsentUrl;
  if (!form || !url || unsent?.move !== moveOf(form)) return;
  const sent = unsent;
  const fields = /** @type {[string, string][]} */ ([...new FormData(form)]);
  const body = new URLSearchParams(fields);
  try {
    const answer = await fetch(url, { method: "POST", body, keepalive: true });
    if (answer.ok && sent === unsent) store(null);
  } catch {
    // sent again when the form is replaced or the page is hidden
  }
}

/** Choose in the form what this tab chose for the move, or else what the server knows. */
export function restoreUnsent() {
  const form = act();
  if (!form) return;
  const own = unsent?.move === moveOf(form) ? unsent : null;
  const chosen = own ? own.chosen : JSON.parse(form.dataset.unsentMove ?? "null");
  if (!chosen) return;
  for (const field of choosers(form)) {
    const values = chosen[field.name] ?? [];
    if (field instanceof HTMLSelectElement) field.value = values[0] ?? "";
    else field.checked = values.includes(field.value);
  }
  const folded = form.querySelector("details input:checked")?.closest("details");
  if (folded) folded.open = true;
  if (own && stored()) sendSoon();
}

document.addEventListener("visibilitychange", () => {
  if (document.hidden && stored()) send();
});
