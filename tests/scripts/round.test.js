// A round as it is entered on the scorer's page: its questions one after the other, and how it is
// told when it is over.

import assert from "node:assert/strict";
import { test } from "node:test";

import { begin } from "../../league/static/league/sheet.js";
import { openPage } from "./page.js";
import { BET, BLUFF, KNIFFEL, RULES } from "./rules.js";
import { WORDS } from "./words.js";

const FACTS = { docs: "/docs/rules/", shapes: "/shapes.svg", words: WORDS };
const NAMES = ["Ada", "Ben", "Cy"];

openPage(`<script id="facts" type="application/json">${JSON.stringify(FACTS)}</script>`);
const { bidNode, bidWords, el, faultNode, many, outcome, outcomeNode, round, roundNode, say } =
  await import("../../league/static/league/round.js");

/** Return a sheet after closed rounds. */
function sheetOf(header, ...rounds) {
  const sheet = begin(header, RULES);
  for (const value of rounds) assert.equal(sheet.apply({ act: "close", value }), null);
  return sheet;
}

/** A table at which somebody enters a round, screen by screen. */
class Entering {
  draft = {};
  avatars = [];

  constructor(sheet, { depth = "last", ...settings } = {}) {
    this.sheet = sheet;
    this.names = NAMES.slice(0, sheet.kind.seats);
    this.depth = depth;
    this.settings = settings;
    this.redraw();
  }

  redraw() {
    this.screen = round(this);
    const { lead, hint, body, foot } = this.screen;
    document.body.replaceChildren(el("main", {}, lead, hint, body, foot));
  }

  note(value) {
    assert.equal(this.sheet.apply({ act: "note", value }), null);
    this.noted = value;
    this.draft = {};
    this.redraw();
  }

  close(value) {
    this.closed = value;
  }

  /** Tap buttons that are called so. */
  tap(...labels) {
    for (const label of labels) {
      const isIt = (button) =>
        button.getAttribute("aria-label") === label || textOf(button).includes(label);
      const button = [...document.querySelectorAll("button:not(:disabled)")].find(isIt);
      assert.ok(button, `${label} can't be tapped: ${textOf(document.body)}`);
      button.click();
    }
    return this;
  }

  get title() {
    return this.screen.title;
  }
}

const textOf = (node) => node.textContent.replace(/\s+/g, " ").trim();
const shown = () => textOf(document.querySelector("main"));
const labels = (selector) =>
  [...document.querySelectorAll(selector)].map((node) => node.getAttribute("aria-label"));
const said = (nodes) => textOf(el("p", {}, nodes));
const marked = (nodes) => [...el("p", {}, nodes).querySelectorAll("mark")].map(textOf);

test("sentences are filled in, for one and for many", () => {
  assert.equal(say("is_out", { name: "Ada" }), "Ada is out");
  assert.equal(many("dice", 1), "1 die");
  assert.equal(many("dice", 2), "2 dice");
  assert.equal(bidWords("1x4"), "1 four");
  assert.equal(bidWords("6x*/4*"), "6 stars");
});

test("an element listens, and leaves out what is false or missing", () => {
  let taps = 0;
  const properties = {
    hidden: false,
    disabled: true,
    title: null,
    id: 7,
    onclick: () => (taps += 1),
  };
  const node = el("i", properties, "a", [0, [null, undefined, false, "b"]]);
  node.click();
  assert.equal(node.outerHTML, '<i disabled="" id="7">a0b</i>');
  assert.equal(taps, 1);
});

test("a bid is read out by its name", () => {
  assert.equal(bidNode("3x5").getAttribute("aria-label"), "3 fives");
});

test("the outcome of a round tells who loses, who is out and who opens", () => {
  const view = { losses: [0, 2, -1], out: [1], opener: 0, over: false };
  const lines = ["Ben loses 2 dice", "Cy gets 1 die", "Ben is out", "Ada opens"];
  assert.deepEqual(outcome({ names: NAMES }, view), lines);
});

test("the outcome of a turn tells points, and who rolls", () => {
  const view = { gains: [12, -30, 0], out: [], opener: 1, over: false };
  const lines = ["Ada: 12 points more", "Ben: 30 points less", "Ben rolls"];
  assert.deepEqual(outcome({ names: NAMES }, view), lines);
});

test("an outcome tells the end of a game, and an opener who isn't known", () => {
  const view = { losses: [0, 0, 0], out: [], opener: null };
  assert.deepEqual(outcome({ names: NAMES }, { ...view, over: true }), ["The game is over"]);
  assert.deepEqual(outcome({ names: NAMES }, { ...view, over: false }), ["Who opens isn’t known"]);
});

test("what a rival's round doesn't come to is marked", () => {
  const view = { losses: [1, 0, 0], out: [], opener: 1, over: false };
  const rival = { losses: [2, 0, 0], out: [], opener: 1, over: false };
  assert.deepEqual(marked(outcomeNode({ names: NAMES }, view, rival)), ["Ada loses 1 die"]);
  assert.deepEqual(marked(outcomeNode({ names: NAMES }, view, { fault: {} })), []);
});

test("a fault is told in the reader's language, with the rulings it rests on", () => {
  const sheet = sheetOf(BLUFF);
  const fault = sheet.apply({ act: "close", value: { moves: ["2x4", "1x4", "!"], count: 1 } });
  const node = faultNode({ sheet, names: NAMES }, fault);
  assert.equal(textOf(node), "1x4 isn’t higher than 2x4 B4");
  assert.equal(node.querySelector("a").getAttribute("href"), "/docs/rules/#b4");
});

test("seats in a fault are called by their names, also the first one", () => {
  const sheet = sheetOf(BLUFF);
  const fault = sheet.apply({ act: "close", value: { opener: 1, ...BET } });
  assert.match(
    textOf(faultNode({ sheet, names: NAMES }, fault)),
    /^seat Ben doesn't open this round: seat 0 does/,
  );
});

test("a round by its last bid: who bid, what, and how many there were", () => {
  const table = new Entering(sheetOf(BLUFF));
  assert.equal(table.title, "Who bid last?");
  table.tap("Ben");
  assert.equal(table.title, "What did Ben bid?");
  table.tap("2 fours");
  assert.equal(table.title, "How many?");
  assert.match(shown(), /Ben bid, Cy challenged/);
  table.tap("1 counts");
  assert.match(shown(), /Ben loses 1 die/);
  table.tap("Done");
  const value = { moves: ["2x4", "!"], bidder: 1, challenger: 2, count: 1 };
  assert.deepEqual(table.closed, value);
});

test("seats before the bidder have bid something lower", () => {
  const table = new Entering(sheetOf(BLUFF)).tap("Cy");
  const cells = [...document.querySelectorAll(".score-cell")];
  const open = cells.filter(({ disabled }) => !disabled);
  assert.equal(open[0].getAttribute("aria-label"), "1 three");
  assert.equal(table.title, "What did Cy bid?");
});

test("each answer can be taken back", () => {
  const table = new Entering(sheetOf(BLUFF)).tap("Ben", "2 fours", "1 counts");
  table.screen.back();
  assert.equal(table.title, "How many?");
  table.screen.back();
  assert.equal(table.title, "What did Ben bid?");
  table.screen.back();
  assert.equal(table.title, "Who bid last?");
  assert.deepEqual(table.draft, {});
});

test("a bid above the dice on the table is asked for once more", () => {
  const table = new Entering(sheetOf(BLUFF)).tap("Ben", "7 fours");
  assert.equal(table.title, "Really?");
  assert.match(shown(), /Only 6 dice are on the table\. Ruling B2/);
  table.tap("Yes, that was said");
  assert.equal(table.draft.bid, "7x4");
});

test("a count that can't be has no button", () => {
  new Entering(sheetOf(BLUFF), { depth: "bids" }).tap("2 fours", "Cups up!");
  assert.deepEqual(labels(".exact"), ["2 count"]);
  assert.deepEqual(labels(".fewer"), ["0 count", "1 counts"]);
});

test("a round by its bids: each is noted, and then the cups go up", () => {
  const table = new Entering(sheetOf(BLUFF), { depth: "bids" });
  assert.equal(table.title, "Ada opens");
  table.tap("1 four");
  assert.deepEqual(table.noted, { bid: "1x4", seat: 0 });
  assert.equal(table.title, "Ben bids");
  table.tap("2 fours", "Cups up!", "1 counts", "Done");
  assert.deepEqual(table.closed, { moves: ["1x4", "2x4", "!"], count: 1 });
});

test("a round by its dice: each cup is told", () => {
  const table = new Entering(sheetOf(BLUFF), { depth: "dice" }).tap("2 fours", "Cups up!");
  assert.equal(table.title, "Ada’s dice");
  table.tap("four", "star", "one", "two");
  assert.equal(table.title, "Cy’s dice");
  table.screen.back();
  assert.equal(table.title, "Ben’s dice");
  table.tap("three", "five", "five", "Done");
  assert.deepEqual(table.closed, { moves: ["2x4", "!"], revealed: ["4*", "13", "55"] });
});

test("dice are laid out where that is agreed", () => {
  const header = { ...BLUFF, rules: { dice: 2, reroll: true } };
  const table = new Entering(sheetOf(header), { depth: "bids", reroll: true });
  table.tap("Lay out", "four", "Done", "2 fours");
  assert.deepEqual(table.noted, { bid: "2x4/4", seat: 0 });
});

test("a round by its losses alone", () => {
  const table = new Entering(sheetOf(BLUFF), { depth: "losses" });
  table.tap("Ben: one more", "Ben: one more", "Ben: one less");
  assert.match(shown(), /Ben loses 1 die/);
  table.tap("Done");
  assert.deepEqual(table.closed, { losses: [0, 1, 0] });
});

test("nobody loses more dice than they have, or less than none", () => {
  new Entering(sheetOf(BLUFF), { depth: "losses" }).tap("Ben: one more", "Ben: one more");
  const disabled = labels("button:disabled").filter((label) => label?.startsWith("Ben"));
  assert.deepEqual(disabled, ["Ben: one more"]);
  assert.ok(labels("button:disabled").includes("Ada: one less"));
});

test("after a round that tells only its losses, somebody says who opened", () => {
  const sheet = sheetOf(BLUFF, { losses: [1, 0, 0] });
  const table = new Entering(sheet, { depth: "bids" });
  assert.equal(table.title, "Who opened?");
  assert.match(shown(), /The round before doesn’t tell/);
  table.tap("Ben", "1 four", "Cups up!", "0 count", "Done");
  assert.equal(table.closed.moves.length, 2);
  assert.equal(table.sheet.notes[0].seat, 1);
});

test("a turn that nobody doubts", () => {
  const table = new Entering(sheetOf(KNIFFEL));
  assert.equal(table.title, "Ben announces");
  table.tap("Fours", "12");
  assert.match(shown(), /Fours 12.*Ben: 12 points more/);
  table.tap("Nobody doubts");
  assert.deepEqual(table.closed, { say: "fours=12" });
});

test("a combination with one number of points isn't asked about", () => {
  const table = new Entering(sheetOf(KNIFFEL)).tap("Full house");
  assert.equal(table.title, "Who doubts?");
  assert.equal(table.draft.points, 25);
});

test("a doubted turn shows its dice, and whether it was a lie", () => {
  const table = new Entering(sheetOf(KNIFFEL)).tap("Fours", "12", "Ada", "Show the dice");
  assert.equal(table.title, "Which dice?");
  table.tap("four", "four", "one", "one", "one");
  assert.match(shown(), /A lie/);
  table.screen.back();
  table.tap("four");
  assert.match(shown(), /True/);
  table.tap("Done");
  assert.deepEqual(table.closed, { say: "fours=12", doubts: [0], dice: "44114" });
});

test("a doubt is taken back by a second tap, and the roller can't doubt", () => {
  const table = new Entering(sheetOf(KNIFFEL)).tap("Fours", "12", "Ada", "Ada");
  assert.deepEqual(table.draft.doubters, []);
  assert.throws(() => table.tap("Ben"), /can't be tapped/);
});

test("a round that is over is told in one line", () => {
  const table = { names: NAMES };
  const told = (value) => said(roundNode(table, value));
  assert.equal(told({ moves: ["1x4", "2x4", "!"], count: 1 }), "2× · 1 counts");
  assert.equal(told({ bidder: 1, moves: ["2x4", "!"], count: 2 }), "Ben 2× · 2 count");
  assert.equal(told({ losses: [2, 0, -1] }), "Ada −2 · Cy +1");
  assert.equal(told({ forfeit: [0, 2] }), "Ada left, Cy left");
  assert.equal(told({ void: true }), "Void");
  assert.equal(told({ ended: "clock" }), "Time was up");
  assert.equal(told({ say: "fours=12" }), "Fours 12");
  const doubted = { say: "fours=12", doubts: [0, 2], dice: "44111" };
  assert.equal(told(doubted), "Fours 12 doubted by Ada, Cy: 44111");
});

test("what a rival tells otherwise is marked", () => {
  const table = { names: NAMES };
  const value = { bidder: 1, moves: ["2x4", "!"], count: 1 };
  assert.deepEqual(marked(roundNode(table, value, value)), []);
  assert.deepEqual(marked(roundNode(table, value, { ...value, count: 2 })), ["1 counts"]);
  assert.deepEqual(marked(roundNode(table, { losses: [1, 2, 0] }, { losses: [1, 0, 0] })), [
    "Ben −2",
  ]);
});
