// An online table by keyboard and by taps on the track.
//   6x4 ↵  bids six fours (6x* six stars, 6x4/4* lays a four and a star out) · c  cups up!
//   d  reads out my dice · l  the last bid · t  the time left
// Another game has keys of its own in a file of its own, and marks its part of the page with
// data-own-keys. The form does everything without this file, too; live.js fetches what others do.

import { secondsLeft, tick, timeWords } from "./play_clock.js";
import "./play_line.js";
import "./play_part.js";
import { keepUnsent, restoreUnsent } from "./play_unsent.js";

const LONGEST = 12; // signs of a typed bid

let typed = "";

/** @param {string} words */
function say(words) {
  document.getElementById("announce").textContent = words;
}

const takesBids = () => !document.querySelector("[data-own-keys]");

/**
 * Return an element in words; nothing if it is missing.
 * @param {string} id
 */
function wordsOf(id) {
  const element = document.getElementById(id);
  if (!element) return "";
  const spoken = [element.querySelector("b"), element.querySelector("q")];
  const labelled = [...element.querySelectorAll("[aria-label]")];
  const words = [
    ...spoken.map((part) => part?.textContent?.trim()),
    ...labelled.map((part) => part.getAttribute("aria-label")),
  ];
  return words.filter(Boolean).join(": ") || (element.textContent ?? "").trim();
}

/**
 * Let only those faces be chosen that raise on the chosen field of the track.
 * @param {HTMLFormElement} form
 */
function fit(form) {
  const faceFields = form.querySelector(".play-faces");
  if (!faceFields) return;
  const chosen = form.querySelector("input[name=field]:checked");
  const faces = chosen?.closest("label")?.dataset.faces ?? "12345";
  const isStar = faces === "*";
  faceFields.hidden = isStar;
  for (const input of form.querySelectorAll("input[name=face]")) {
    input.disabled = !isStar && !faces.includes(input.value);
  }
  if (isStar) return;
  const current = form.querySelector("input[name=face]:checked");
  if (current && !current.disabled) return;
  const free = form.querySelector("input[name=face]:not(:disabled)");
  if (free) free.checked = true;
}

/**
 * Light up the fields of the track on which one can bid; a tap on one chooses it.
 * @param {HTMLFormElement} form
 */
function light(form) {
  for (const input of form.querySelectorAll("input[name=field]")) {
    const field = document.querySelector(`.track [data-field="${CSS.escape(input.value)}"]`);
    field?.classList.add("lit");
    field?.classList.toggle("chosen", input.checked);
  }
}

/** Return the form of a bid; null while others act, and in Lügen-Kniffel. */
function bidForm() {
  const form = document.getElementById("act");
  return form?.elements.typed ? form : null;
}

function ready() {
  restoreUnsent();
  const form = bidForm();
  if (form) {
    fit(form);
    light(form);
  }
  tick();
}

/**
 * @param {HTMLFormElement} form
 * @param {string} text
 */
function fillIn(form, text) {
  const field = form.elements.typed;
  if (field) field.value = text;
}

/**
 * @param {HTMLFormElement} form
 * @param {string} text
 */
function bid(form, text) {
  fillIn(form, text);
  form.requestSubmit(form.querySelector("button[value=bid]"));
}

// What was typed holds for one try: after it the form is as it was.
document.addEventListener("htmx:finally:request", () => {
  const form = bidForm();
  if (form) fillIn(form, "");
});

document.addEventListener("change", ({ target }) => {
  const { form } = target;
  if (!form || form !== document.getElementById("act")) return;
  if (form === bidForm()) {
    fit(form);
    light(form);
  }
  keepUnsent();
});

document.addEventListener("click", ({ target }) => {
  const field = target.closest(".track .lit")?.dataset.field;
  if (!field) return;
  const input = document.querySelector(`#act input[name=field][value="${CSS.escape(field)}"]`);
  if (!(input instanceof HTMLInputElement)) return;
  const folded = input.closest("details");
  if (folded) folded.open = true;
  input.checked = true;
  input.dispatchEvent(new Event("change", { bubbles: true }));
});

/** @type {Record<string, () => void>} */
const KEYS = {
  c: () => bidForm()?.querySelector("button[value=challenge]")?.click(),
  d: () => say(wordsOf("my-dice")),
  l: () => say(wordsOf("last-bid")),
  t: () => {
    if (secondsLeft() !== null) say(timeWords());
  },
  Escape: () => {
    typed = "";
  },
};

// Send what is typed as a bid. Where one can't bid now, say the time instead.
function enter() {
  const form = bidForm();
  const text = typed;
  typed = "";
  if (form) bid(form, text);
  else say(timeWords());
}

document.addEventListener("keydown", (event) => {
  const { key } = event;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input[type=text], textarea, select")) return;
  if (/^[0-9x*/]$/.test(key) && takesBids()) {
    typed = (typed + key).slice(-LONGEST);
    say(typed);
  } else if (key === "Enter" && typed) {
    event.preventDefault();
    enter();
  } else {
    KEYS[key]?.();
  }
});

document.addEventListener("live:swapped", ready);
document.addEventListener("htmx:after:swap", ready);
if (document.getElementById("live")) ready();
