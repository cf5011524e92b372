// Who finished where, entered by tapping names in the order of finish.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { load, openPage } from "./page.js";

const NAMES = ["Ada", "Ben", "Cy"];
const OPTIONS = ["", "1", "2", "3"].map((value) => `<option value="${value}">${value}</option>`);

function row(name) {
  return `<li><label class="tap">${name}</label><select>${OPTIONS.join("")}</select></li>`;
}

beforeEach(async () => {
  openPage(`<form data-result>
    <ul data-places>${NAMES.map(row).join("")}</ul>
    <p data-tapping></p><p data-choosing></p>
    <button type="button" data-more hidden></button><button type="reset" data-again hidden></button>
    <button type="button" data-look></button><button type="button" data-seal></button>
  </form>`);
  await load("result.js");
});

const one = (selector) => document.querySelector(selector);
const chips = () => [...document.querySelectorAll(".chip")];
const lists = () => [...document.querySelectorAll("select")];
const places = () => lists().map(({ value }) => value);

/** Tap players by their names. */
function tap(...names) {
  for (const name of names) chips()[NAMES.indexOf(name)].click();
}

test("taps give places in their order, and the last player left takes the last one", () => {
  tap("Cy", "Ada");
  assert.deepEqual(places(), ["2", "3", "1"]);
  assert.deepEqual(
    chips().map(({ textContent }) => textContent),
    ["Ada2", "Ben3", "Cy1"],
  );
});

test("a second tap takes a place back, and later ones move up", () => {
  tap("Cy", "Ada", "Cy");
  assert.deepEqual(places(), ["1", "2", ""]);
});

test("a second tap on the last place changes nothing", () => {
  tap("Cy", "Ada", "Ben");
  assert.deepEqual(places(), ["2", "3", "1"]);
});

test("sealing is the large button once everybody has a place", () => {
  assert.ok(one("[data-look]").classList.contains("btn-huge"));
  tap("Cy", "Ada");
  assert.ok(one("[data-seal]").classList.contains("btn-huge"));
  assert.ok(one("[data-look]").classList.contains("btn-outline"));
});

test("lists of places are behind a button", () => {
  assert.ok(one("[data-places]").classList.contains("by-taps"));
  assert.ok(one("[data-choosing]").hidden);
  one("[data-more]").click();
  assert.ok(!one("[data-places]").classList.contains("by-taps"));
  assert.ok(one("[data-tapping]").hidden);
  assert.equal(one("[data-more]").getAttribute("aria-expanded"), "true");
});

test("a place that is chosen from a list shows at the name", () => {
  lists()[1].value = "1";
  lists()[1].dispatchEvent(new Event("change"));
  assert.equal(chips()[1].getAttribute("aria-pressed"), "true");
  assert.equal(chips()[1].textContent, "Ben1");
});
