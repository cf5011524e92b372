// An online table of Bluff by keyboard and by taps on the track.

import assert from "node:assert/strict";
import { before, beforeEach, test } from "node:test";

import { announced, load, openPage, press, stopTime, tell } from "./page.js";

const TRACK = '<div class="track"><i data-field="4"></i><i data-field="5"></i></div>';
const CLOCK = `<div class="play-clock" data-deadline="2026-05-01T20:01:05Z" data-left="left"
  data-now="2026-05-01T20:00:00Z"><progress></progress><b data-seconds></b></div>`;
const ACT = `<form id="act">
    <input type="hidden" name="length" value="3"><input type="hidden" name="typed">
    <label data-faces="45"><input type="radio" name="field" value="4"></label>
    <details><label data-faces="*"><input type="radio" name="field" value="5"></label></details>
    <div class="play-faces">
      <input type="radio" name="face" value="3"><input type="radio" name="face" value="4">
      <input type="radio" name="face" value="5">
    </div>
    <button value="bid"></button><button type="button" value="challenge"></button>
  </form>`;
const DICE =
  '<p id="my-dice"><b>Your dice</b> <i aria-label="four"></i><i aria-label="star"></i></p>';
let sent;
let challenges;

before(async () => {
  stopTime();
  openPage("");
  await load("play.js");
});

beforeEach(() => {
  press("Escape");
});

/** Show the part of a table, as after an act. */
function show(body) {
  document.body.innerHTML = `<div id="live">${TRACK}${body}</div><p id="announce"></p>`;
  sent = [];
  challenges = 0;
  const form = document.getElementById("act");
  form?.addEventListener("submit", (event) => {
    event.preventDefault();
    sent.push(`${event.submitter.value} ${form.elements.typed.value}`);
  });
  document.querySelector("[value=challenge]")?.addEventListener("click", () => {
    challenges += 1;
  });
  tell("live:swapped");
}

/** Choose an input, as a reader does. */
function choose(name, value) {
  const input = document.querySelector(`[name=${name}][value="${value}"]`);
  input.checked = true;
  input.dispatchEvent(new Event("change", { bubbles: true }));
}

function type(text) {
  for (const key of text) press(key);
}

const inputs = (name) => [...document.querySelectorAll(`[name=${name}]`)];
const allowed = (name) =>
  inputs(name)
    .filter(({ disabled }) => !disabled)
    .map(({ value }) => value);
const chosen = (name) => inputs(name).find(({ checked }) => checked)?.value;
const field = (name) => document.querySelector(`[data-field="${name}"]`);

test("a bid is typed and sent by Enter", () => {
  show(ACT);
  type("6x4/4*");
  assert.equal(announced(), "6x4/4*");
  assert.ok(press("Enter").defaultPrevented);
  assert.deepEqual(sent, ["bid 6x4/4*"]);
});

test("what was typed holds for one try", () => {
  show(ACT);
  type("6x4");
  press("Enter");
  tell("htmx:finally:request");
  assert.equal(document.getElementById("act").elements.typed.value, "");
  assert.ok(!press("Enter").defaultPrevented);
  assert.equal(sent.length, 1);
});

test("Escape forgets what was typed", () => {
  show(ACT);
  type("6x4");
  press("Escape");
  press("Enter");
  assert.deepEqual(sent, []);
});

test("only the last signs of a long text are kept", () => {
  show(ACT);
  type("0123456789x*/4");
  assert.equal(announced(), "23456789x*/4");
});

test("who types a bid while others act hears the time", () => {
  show(CLOCK);
  type("6x4");
  press("Enter");
  assert.equal(announced(), "65 seconds left");
});

test("c says “Cups up!”", () => {
  show(ACT);
  press("c");
  assert.equal(challenges, 1);
});

test("letters read out my dice, the last bid and the time", () => {
  show(`${DICE}<p id="last-bid"><b>Karla</b> <q>2 fours</q></p>${CLOCK}`);
  press("d");
  assert.equal(announced(), "Your dice: four: star");
  press("l");
  assert.equal(announced(), "Karla: 2 fours");
  press("t");
  assert.equal(announced(), "65 seconds left");
});

test("an element without a name is read out as it is", () => {
  show('<p id="last-bid">  Nobody has bid yet. </p>');
  press("l");
  assert.equal(announced(), "Nobody has bid yet.");
});

test("without a clock the key for the time says nothing", () => {
  show(ACT);
  press("t");
  assert.equal(announced(), "");
});

test("digits are no bid in a game with keys of its own", () => {
  show('<section data-own-keys></section><form id="act"></form>');
  type("12");
  assert.equal(announced(), "");
});

test("keys in a field, and those of the browser, are left alone", () => {
  show(`${ACT}<textarea></textarea>`);
  press("c", { on: document.querySelector("textarea") });
  press("c", { ctrlKey: true });
  assert.equal(challenges, 0);
});

test("only faces that raise on the chosen field can be chosen", () => {
  show(ACT);
  choose("face", "3");
  choose("field", "4");
  assert.deepEqual(allowed("face"), ["4", "5"]);
  assert.equal(chosen("face"), "4");
});

test("a face that raises there stays chosen", () => {
  show(ACT);
  choose("face", "5");
  choose("field", "4");
  assert.equal(chosen("face"), "5");
});

test("a field of stars needs no face", () => {
  show(ACT);
  choose("field", "5");
  assert.ok(document.querySelector(".play-faces").hidden);
  choose("field", "4");
  assert.ok(!document.querySelector(".play-faces").hidden);
});

test("the fields that can be bid are lit, and the chosen one is marked", () => {
  show(ACT);
  assert.ok(field("4").classList.contains("lit"));
  choose("field", "5");
  assert.ok(field("5").classList.contains("chosen"));
  assert.ok(!field("4").classList.contains("chosen"));
});

test("a tap on the track chooses the field, and unfolds it", () => {
  show(ACT);
  field("5").dispatchEvent(new window.MouseEvent("click", { bubbles: true }));
  assert.equal(chosen("field"), "5");
  assert.ok(document.querySelector("details").open);
  assert.ok(field("5").classList.contains("chosen"));
});

test("a choice stays when the table is shown anew within the move", () => {
  show(ACT);
  choose("field", "4");
  show(ACT);
  assert.equal(chosen("field"), "4");
  assert.deepEqual(allowed("face"), ["4", "5"]);
});
