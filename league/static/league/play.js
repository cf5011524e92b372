// An online table by keyboard, and its clock.
//   6x4 ↵  bids six fours (6x* six stars, 6x4/4* lays a four and a star out) · c  cups up! · d  reads my dice
//   l  the last bid · t  the time left
// The form does everything without this file, too; the page fetches what others do by live.js.

import "./play_part.js";

const SECOND = 1000;
let typed = "";

const say = (words) => { document.getElementById("announce").textContent = words; };
const part = () => document.getElementById("live");
const words = (id) => {
  const element = document.getElementById(id);
  if (!element) return "";
  const labelled = [...element.querySelectorAll("[aria-label]")].map((each) => each.getAttribute("aria-label"));
  return [element.querySelector("b")?.textContent, ...labelled].filter(Boolean).join(": ") || element.textContent.trim();
};

function left() {
  const clock = document.querySelector("[data-deadline]");
  return clock ? Math.max(0, Math.round((Date.parse(clock.dataset.deadline) - Date.now()) / SECOND)) : null;
}

function tick() {
  const seconds = left();
  const clock = document.querySelector("[data-seconds]");
  if (seconds === null || !clock) return;
  clock.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  clock.closest(".play-clock").classList.toggle("short", seconds <= 10);
  const late = document.querySelector(".play-late");
  if (late && seconds === 0) late.hidden = false;
}

// Of a field of the track only the faces that raise there can be chosen.
function fit(form) {
  const chosen = form.querySelector("input[name=field]:checked");
  const faces = chosen?.closest("label").dataset.faces ?? "12345";
  const starred = faces === "*";
  form.querySelector(".play-faces").hidden = starred;
  for (const input of form.querySelectorAll("input[name=face]")) input.disabled = !starred && !faces.includes(input.value);
  const current = form.querySelector("input[name=face]:checked");
  if (!starred && (!current || current.disabled)) {
    const free = form.querySelector("input[name=face]:not(:disabled)");
    if (free) free.checked = true;
  }
}

function ready() {
  const form = document.getElementById("act");
  if (form) fit(form);
  tick();
}

function bid(form, text) {
  form.elements.typed.value = text;
  form.requestSubmit(form.querySelector("button[value=bid]"));
}

// What was typed holds for one try: after it the form is as it was.
document.addEventListener("htmx:finally:request", () => {
  const form = document.getElementById("act");
  if (form) form.elements.typed.value = "";
});

document.addEventListener("change", ({ target }) => {
  if (target.form?.id === "act") fit(target.form);
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input[type=text], textarea, select")) return;
  const form = document.getElementById("act");
  const key = event.key;
  if (/^[0-9x*/]$/.test(key)) {
    typed = (typed + key).slice(-12);
    say(typed);
  } else if (key === "Enter" && typed) {
    event.preventDefault();
    const text = typed;
    typed = "";
    if (form) bid(form, text); else say(words("time-left"));
  } else if (key === "Escape") {
    typed = "";
  } else if (key === "c") {
    form?.querySelector("button[value=challenge]")?.click();
  } else if (key === "d") {
    say(words("my-dice"));
  } else if (key === "l") {
    say(words("last-bid"));
  } else if (key === "t") {
    const seconds = left();
    if (seconds !== null) say(`${seconds} s`);
  }
});

document.addEventListener("live:swapped", ready);
document.addEventListener("htmx:after:swap", ready);
setInterval(tick, SECOND);
if (part()) ready();
