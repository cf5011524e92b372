// An online table by keyboard and by taps on the track.
//   6x4 ↵  bids six fours (6x* six stars, 6x4/4* lays a four and a star out) · c  cups up! · d  reads my dice
//   l  the last bid · t  the time left
// Another game has keys of its own in a file of its own, and marks its part of the page with data-own-keys.
// The form does everything without this file, too; the page fetches what others do by live.js.

import { secondsLeft, tick, timeWords } from "./play_clock.js";
import "./play_line.js";
import "./play_part.js";
import { keepUnsent, restoreUnsent } from "./play_unsent.js";

let typed = "";

const say = (words) => {
  document.getElementById("announce").textContent = words;
};
const takesBids = () => !document.querySelector("[data-own-keys]");
const part = () => document.getElementById("live");
const words = (id) => {
  const element = document.getElementById(id);
  if (!element) return "";
  const labelled = [...element.querySelectorAll("[aria-label]")].map((each) =>
    each.getAttribute("aria-label"),
  );
  const spoken = [element.querySelector("b"), element.querySelector("q")].map((each) =>
    each?.textContent.trim(),
  );
  return [...spoken, ...labelled].filter(Boolean).join(": ") || element.textContent.trim();
};

// Of a field of the track only the faces that raise there can be chosen.
function fit(form) {
  const faceFields = form.querySelector(".play-faces");
  if (!faceFields) return;
  const chosen = form.querySelector("input[name=field]:checked");
  const faces = chosen?.closest("label").dataset.faces ?? "12345";
  const starred = faces === "*";
  faceFields.hidden = starred;
  for (const input of form.querySelectorAll("input[name=face]"))
    input.disabled = !starred && !faces.includes(input.value);
  const current = form.querySelector("input[name=face]:checked");
  if (!starred && (!current || current.disabled)) {
    const free = form.querySelector("input[name=face]:not(:disabled)");
    if (free) free.checked = true;
  }
}

// The fields of the track on which one can bid are lit; a tap on one chooses it.
function light(form) {
  for (const input of form.querySelectorAll("input[name=field]")) {
    const field = document.querySelector(`.track [data-field="${CSS.escape(input.value)}"]`);
    field?.classList.add("lit");
    field?.classList.toggle("chosen", input.checked);
  }
}

// The form of a bid; none while others act, or in Lügen-Kniffel.
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

function bid(form, text) {
  form.elements.typed.value = text;
  form.requestSubmit(form.querySelector("button[value=bid]"));
}

// What was typed holds for one try: after it the form is as it was.
document.addEventListener("htmx:finally:request", () => {
  const form = bidForm();
  if (form) form.elements.typed.value = "";
});

document.addEventListener("change", ({ target }) => {
  if (!target.form || target.form !== document.getElementById("act")) return;
  if (target.form === bidForm()) {
    fit(target.form);
    light(target.form);
  }
  keepUnsent();
});

document.addEventListener("click", ({ target }) => {
  const field = target.closest(".track .lit")?.dataset.field;
  if (!field) return;
  const input = document.querySelector(`#act input[name=field][value="${CSS.escape(field)}"]`);
  if (!input) return;
  const folded = input.closest("details");
  if (folded) folded.open = true;
  input.checked = true;
  input.dispatchEvent(new Event("change", { bubbles: true }));
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input[type=text], textarea, select")) return;
  const form = bidForm();
  const key = event.key;
  if (/^[0-9x*/]$/.test(key) && takesBids()) {
    typed = (typed + key).slice(-12);
    say(typed);
  } else if (key === "Enter" && typed) {
    event.preventDefault();
    const text = typed;
    typed = "";
    if (form) bid(form, text);
    else say(timeWords());
  } else if (key === "Escape") {
    typed = "";
  } else if (key === "c") {
    form?.querySelector("button[value=challenge]")?.click();
  } else if (key === "d") {
    say(words("my-dice"));
  } else if (key === "l") {
    say(words("last-bid"));
  } else if (key === "t") {
    if (secondsLeft() !== null) say(timeWords());
  }
});

document.addEventListener("live:swapped", ready);
document.addEventListener("htmx:after:swap", ready);
if (part()) ready();
