// Who sits at a game, chosen by tapping faces in the order of the seats.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { load, openPage } from "./page.js";

const PLAYERS = [
  ["@ada", "Ada"],
  ["@ben", "Ben"],
  ["@cy", "Cy"],
];

beforeEach(async () => {
  const faces = PLAYERS.map(
    ([handle, name]) => `<button type="button" data-face="${handle}"><span>${name}</span></button>`,
  );
  openPage(`<form data-seats>
    <p data-faces hidden>${faces.join("")}</p><p data-type-hint></p>
    <input list="names"><details><summary></summary><input list="names"></details>
  </form>`);
  await load("seats.js");
});

const faces = () => [...document.querySelectorAll("[data-face]")];
const seats = () => [...document.querySelectorAll("input")];
const names = () => seats().map(({ value }) => value);

function tap(...places) {
  for (const place of places) faces()[place].click();
}

test("faces take seats in the order of the taps", () => {
  tap(2, 0);
  assert.deepEqual(names(), ["@cy", "@ada"]);
  assert.deepEqual(
    faces().map(({ dataset }) => dataset.place),
    ["2", "", "1"],
  );
});

test("a second tap takes a player off, and seats close up", () => {
  tap(2, 0, 2);
  assert.deepEqual(names(), ["@ada", ""]);
  assert.equal(faces()[2].getAttribute("aria-pressed"), "false");
});

test("further seats are unfolded once they are taken", () => {
  tap(2);
  assert.ok(!document.querySelector("details").open);
  tap(0);
  assert.ok(document.querySelector("details").open);
});

test("once all seats are taken, other faces can't be tapped", () => {
  tap(2, 0);
  assert.deepEqual(
    faces().map(({ disabled }) => disabled),
    [false, true, false],
  );
});

test("a name that is typed presses its face", () => {
  seats()[0].value = " Ben ";
  seats()[0].dispatchEvent(new Event("input", { bubbles: true }));
  assert.equal(faces()[1].getAttribute("aria-pressed"), "true");
});

test("with faces to tap, nobody is asked to type", () => {
  assert.ok(document.querySelector("[data-type-hint]").hidden);
  assert.ok(!document.querySelector("[data-faces]").hidden);
});
