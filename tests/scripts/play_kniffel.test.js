// Lügen-Kniffel at an online table by keyboard.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { announced, load, openPage, press } from "./page.js";

let pressed;

beforeEach(async () => {
  const dice = [6, 2, 2].map((die) => `<label><input type="checkbox" name="keep">${die}</label>`);
  openPage(`
    <form id="act">
      <fieldset data-stays="stays" data-rolls="rolls again">${dice.join("")}</fieldset>
      <select name="say"><option>chance</option></select>
      <button type="button" value="roll"></button>
      <button type="button" value="believe"></button>
      <button type="button" value="doubt"></button>
    </form>
    <input type="text" id="chat-text">`);
  pressed = [];
  for (const button of document.querySelectorAll("button")) {
    button.addEventListener("click", () => pressed.push(button.value));
  }
  await load("play_kniffel.js");
});

const kept = () => [...document.querySelectorAll("[name=keep]")].map(({ checked }) => checked);

test("a digit keeps the die in that place, and lets it roll again after all", () => {
  press("2");
  assert.deepEqual(kept(), [false, true, false]);
  assert.equal(announced(), "2: stays");
  press("2");
  assert.deepEqual(kept(), [false, false, false]);
  assert.equal(announced(), "2: rolls again");
});

test("a digit beyond the dice does nothing", () => {
  press("5");
  assert.deepEqual(kept(), [false, false, false]);
  assert.equal(announced(), "");
});

test("letters roll, believe and doubt", () => {
  press("r");
  press("b");
  press("c");
  assert.deepEqual(pressed, ["roll", "believe", "doubt"]);
});

test("a goes to the announcement", () => {
  press("a");
  assert.equal(document.activeElement.name, "say");
});

test("keys that mean something to the browser or to a field are left alone", () => {
  press("r", { ctrlKey: true });
  press("r", { metaKey: true });
  press("r", { altKey: true });
  press("r", { repeat: true });
  press("r", { on: document.getElementById("chat-text") });
  press("1", { on: document.querySelector("select") });
  assert.deepEqual(pressed, []);
  assert.deepEqual(kept(), [false, false, false]);
});

test("keys do nothing while others act", () => {
  document.getElementById("act").remove();
  for (const key of ["1", "r", "a", "b", "c", "x"]) press(key);
  assert.equal(announced(), "");
});
