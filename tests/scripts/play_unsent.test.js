// What is chosen for a move at an online table, and not sent yet.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { load, openPage, stopTime } from "./page.js";

const PAUSE = 1000;
const OPTIONS = ["1", "2"].map((value) => `<option value="${value}">${value}</option>`).join("");
let pass;
let sent;
let answer;

beforeEach(() => {
  pass = stopTime();
  sent = [];
  answer = { ok: true };
  globalThis.fetch = async (url, { body }) => {
    sent.push(`${url} ${body}`);
    return answer;
  };
});

/** Return the form of a move, as the server sends it after so many acts. */
function form({ length = 3, known = null, url = "/unsent/" } = {}) {
  const attributes = [];
  if (url) attributes.push(`data-unsent-url="${url}"`);
  if (known) attributes.push(`data-unsent-move='${JSON.stringify(known)}'`);
  return `<form id="act" ${attributes.join(" ")}>
    <input type="hidden" name="length" value="${length}">
    <input type="radio" name="field" value="5"><input type="radio" name="field" value="6">
    <details><input type="checkbox" name="roll" value="0"></details>
    <input type="checkbox" name="roll" value="1">
    <select name="points">${OPTIONS}</select>
  </form>`;
}

async function openMove(state) {
  openPage(form(state));
  const script = await load("play_unsent.js");
  script.restoreUnsent();
  return script;
}

/** Choose the inputs of these names and values. */
function choose(...fields) {
  for (const [name, value] of fields) {
    document.querySelector(`input[name=${name}][value="${value}"]`).checked = true;
  }
}

/** Replace the form, as when others have acted. */
function replaceForm(script, state) {
  document.getElementById("act").outerHTML = form(state);
  script.restoreUnsent();
}

/** Let answers arrive; the timers of the page stand still. */
async function settled() {
  for (let step = 0; step < 10; step += 1) await null;
}

function chosen() {
  const fields = [...document.querySelectorAll("input:checked")];
  return fields.map(({ name, value }) => `${name}=${value}`).join(" ");
}

test("a choice stays when the form is replaced within the move", async () => {
  const script = await openMove();
  choose(["field", "6"], ["roll", "1"]);
  script.keepUnsent();
  replaceForm(script);
  assert.equal(chosen(), "field=6 roll=1");
});

test("a choice from a list stays, too", async () => {
  const script = await openMove();
  document.querySelector("select").value = "2";
  script.keepUnsent();
  replaceForm(script);
  assert.equal(document.querySelector("select").value, "2");
});

test("once somebody has acted, the choice is forgotten", async () => {
  const script = await openMove({ length: 3 });
  choose(["field", "6"]);
  script.keepUnsent();
  replaceForm(script, { length: 4 });
  assert.equal(chosen(), "");
});

test("a roll of Lügen-Kniffel stays the same move when somebody else leaves", async () => {
  const script = await openMove({ length: 3 });
  document.getElementById("act").dataset.roll = "2.1";
  choose(["roll", "1"]);
  script.keepUnsent();
  document.getElementById("act").outerHTML = form({ length: 4 });
  document.getElementById("act").dataset.roll = "2.1";
  script.restoreUnsent();
  assert.equal(chosen(), "roll=1");
});

test("what the server knows of the move is chosen on another device", async () => {
  await openMove({ known: { field: ["5"], roll: ["1"] } });
  assert.equal(chosen(), "field=5 roll=1");
});

test("this tab's own choice goes before what the server knows", async () => {
  const script = await openMove({ known: { field: ["5"] } });
  choose(["field", "6"]);
  script.keepUnsent();
  replaceForm(script, { known: { field: ["5"] } });
  assert.equal(chosen(), "field=6");
});

test("a chosen field is unfolded", async () => {
  await openMove({ known: { roll: ["0"] } });
  assert.ok(document.querySelector("details").open);
});

test("choices are sent after a pause, all at once", async () => {
  const script = await openMove();
  choose(["field", "5"]);
  script.keepUnsent();
  choose(["field", "6"]);
  script.keepUnsent();
  pass(PAUSE - 1);
  assert.deepEqual(sent, []);
  pass(1);
  assert.deepEqual(sent, ["/unsent/ length=3&field=6&points=1"]);
});

test("what the server took isn't kept in the tab any more", async () => {
  const script = await openMove();
  choose(["field", "6"]);
  script.keepUnsent();
  assert.match(JSON.stringify({ ...sessionStorage }), /field/);
  pass(PAUSE);
  await settled();
  assert.deepEqual(Object.values({ ...sessionStorage }), ["null"]);
});

test("a choice that couldn't be sent is kept over a reload, and sent again", async () => {
  answer = { ok: false };
  const script = await openMove();
  choose(["field", "6"]);
  script.keepUnsent();
  pass(PAUSE);
  const session = sessionStorage;
  openPage(form());
  for (const [key, value] of Object.entries(session)) sessionStorage.setItem(key, value);
  const reloaded = await load("play_unsent.js");
  reloaded.restoreUnsent();
  assert.equal(chosen(), "field=6");
  pass(PAUSE);
  assert.equal(sent.length, 2);
});

test("in practice nothing is sent, and the tab keeps the choice", async () => {
  const script = await openMove({ url: null });
  choose(["field", "6"]);
  script.keepUnsent();
  pass(PAUSE);
  assert.deepEqual(sent, []);
  replaceForm(script, { url: null });
  assert.equal(chosen(), "field=6");
});

test("a choice isn't sent once another move is to be made", async () => {
  const script = await openMove({ length: 3 });
  choose(["field", "6"]);
  script.keepUnsent();
  document.getElementById("act").outerHTML = form({ length: 4 });
  pass(PAUSE);
  assert.deepEqual(sent, []);
});

test("a page without a form to act has nothing to choose", async () => {
  openPage("");
  const script = await load("play_unsent.js");
  assert.doesNotThrow(script.restoreUnsent);
});

test("a browser that keeps nothing only forgets over a reload", async () => {
  openPage(form());
  const broken = () => {
    throw new Error("storage is off");
  };
  globalThis.sessionStorage = { getItem: broken, setItem: broken };
  const script = await load("play_unsent.js");
  choose(["field", "6"]);
  script.keepUnsent();
  replaceForm(script);
  assert.equal(chosen(), "field=6");
});
