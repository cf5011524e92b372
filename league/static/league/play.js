// An online table by keyboard, and its clock.
//   6x4 ↵  bids six fours (6x* six stars, 6x4/4* lays a four and a star out) · c  cups up! · d  reads my dice
//   l  the last bid · t  the time left
// Another game has keys of its own in a file of its own, and marks its part of the page with data-own-keys.
// The form does everything without this file, too; the page fetches what others do by live.js.

const SECOND = 1000;
let typed = "";

const say = (words) => { document.getElementById("announce").textContent = words; };
const takesBids = () => !document.querySelector("[data-own-keys]");
const part = () => document.getElementById("live");
const words = (id) => {
  const element = document.getElementById(id);
  if (!element) return "";
  const labelled = [...element.querySelectorAll("[aria-label]")].map((each) => each.getAttribute("aria-label"));
  const spoken = [element.querySelector("b"), element.querySelector("q")].map((each) => each?.textContent.trim());
  return [...spoken, ...labelled].filter(Boolean).join(": ") || element.textContent.trim();
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
  const faceFields = form.querySelector(".play-faces");
  if (!faceFields) return;
  const chosen = form.querySelector("input[name=field]:checked");
  const faces = chosen?.closest("label").dataset.faces ?? "12345";
  const starred = faces === "*";
  faceFields.hidden = starred;
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

function send(form, fields) {
  for (const [name, value] of Object.entries(fields)) {
    const input = document.createElement("input");
    input.type = "hidden";
    input.name = name;
    input.value = value;
    form.append(input);
  }
  form.querySelectorAll("input[required]").forEach((input) => { input.required = false; });
  form.requestSubmit();
}

function bid(form, text) {
  form.querySelectorAll("input[name=field], input[name=face], input[name=roll]").forEach((input) => { input.disabled = true; });
  send(form, { act: "bid", typed: text });
}

document.addEventListener("change", ({ target }) => {
  if (target.form?.id === "act") fit(target.form);
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input[type=text], textarea, select")) return;
  const form = document.getElementById("act");
  const key = event.key;
  if (/^[0-9x*/]$/.test(key) && takesBids()) {
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
document.addEventListener("htmx:afterSwap", ready);
setInterval(tick, SECOND);
if (part()) ready();
