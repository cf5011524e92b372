// What stays and what is announced when the part of an online table that follows the game is
// replaced.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { announced, listen, load, openPage, stopTime, tell } from "./page.js";

const CHAT = '<form class="chat-say"><input id="chat-text"></form>';
const ANSWER = { ctx: { response: { status: 200 } } };
let pass;

beforeEach(() => {
  pass = stopTime();
});

/** Return the part of a table: its bids, and what is to be announced of its round and turn. */
function part({ round = 1, bids = [], turn = "", reveal = "", more = "" } = {}) {
  const lines = bids.map((bid) => `<li data-say="${bid}">`).join("");
  return `<div id="live" data-round="${round}" data-turn="${turn}" data-reveal="${reveal}">
    <h2 tabindex="-1">Round ${round}</h2><ul>${lines}</ul>${more}</div>`;
}

async function openTable(state, beside = "") {
  openPage(part(state) + beside);
  return load("play_part.js");
}

/** Replace the part, as live.js does after the acts of others. */
function othersAct(state) {
  document.getElementById("live").outerHTML = part(state);
  tell("live:swapped");
}

/** Replace the part, as htmx does after one's own act. */
function ownAct(state) {
  const swap = tell("htmx:before:swap", ANSWER);
  document.getElementById("live").outerHTML = part(state);
  tell("htmx:after:swap");
  return swap;
}

test("nothing is announced of what the page showed when it was opened", async () => {
  await openTable({ bids: ["Karla: 2 fours."] });
  assert.equal(announced(), "");
});

test("each new bid is announced once, in its order", async () => {
  await openTable({ bids: ["Karla: 2 fours."] });
  othersAct({ bids: ["Karla: 2 fours.", "Ben: 3 fours.", "Ida: 4 fives."] });
  assert.equal(announced(), "Ben: 3 fours. Ida: 4 fives.");
  othersAct({ bids: ["Karla: 2 fours.", "Ben: 3 fours.", "Ida: 4 fives.", "Karla: 5 stars."] });
  assert.equal(announced(), "Karla: 5 stars.");
});

test("whose turn it is follows the bids", async () => {
  await openTable();
  othersAct({ bids: ["Karla: 2 fours."], turn: "Your turn." });
  assert.equal(announced(), "Karla: 2 fours. Your turn.");
});

test("a turn that goes on isn't announced again", async () => {
  await openTable({ turn: "Your turn." });
  othersAct({ turn: "Your turn.", more: "<p>Somebody reads along</p>" });
  assert.equal(announced(), "");
});

test("a new round begins with what lay under the cups", async () => {
  await openTable({ round: 1, bids: ["Karla: 2 fours."] });
  othersAct({ round: 2, reveal: "Cups up! 3 fours.", bids: ["Ben: 1 two."] });
  assert.equal(announced(), "Cups up! 3 fours. Ben: 1 two.");
});

test("lines of the chat are announced once", async () => {
  const line = '<p id="said-7"><q data-chat="Karla says: well played">well played</q></p>';
  await openTable();
  othersAct({ more: line });
  assert.equal(announced(), "Karla says: well played");
  document.getElementById("announce").textContent = "";
  othersAct({ more: line });
  assert.equal(announced(), "");
});

test("the dice that count are counted aloud in figures", async () => {
  const dice =
    '<span class="die hit"></span><span class="die"></span><span class="die hit"></span>';
  await openTable({ round: 1 });
  othersAct({ round: 2, more: `<div class="play-last">${dice}<b data-count>2</b></div>` });
  const figure = document.querySelector("[data-count]");
  pass(140);
  assert.equal(figure.textContent, "0");
  pass(140);
  assert.equal(figure.textContent, "1");
  pass(140);
  assert.equal(figure.textContent, "2");
  const delays = [...document.querySelectorAll(".hit")].map((die) => die.style.animationDelay);
  assert.deepEqual(delays, ["280ms", "420ms"]);
});

test("readers who want no motion see the count at once", async () => {
  openPage(part({ round: 1 }));
  globalThis.matchMedia = () => ({ matches: true });
  await load("play_part.js");
  othersAct({ round: 2, more: '<div class="play-last"><b data-count>2</b></div>' });
  pass(1000);
  assert.ok(!document.querySelector(".play-last").classList.contains("is-new"));
});

test("one's own turn and the cups sound, once that is switched on", async () => {
  const pitches = listen();
  await openTable({ round: 1 });
  othersAct({ round: 1, turn: "Your turn." });
  assert.deepEqual(pitches, []);
  localStorage.setItem("play-sound", "on");
  othersAct({ round: 1 });
  othersAct({ round: 1, turn: "Your turn." });
  assert.deepEqual(pitches, [660, 880]);
  othersAct({ round: 2, turn: "Your turn." });
  assert.deepEqual(pitches, [660, 880, 220, 330, 494]);
});

test("the line of the chat is empty once it is on its way", async () => {
  await openTable({ more: CHAT });
  const sourceElement = document.querySelector(".chat-say");
  document.getElementById("chat-text").value = "hello";
  tell("htmx:before:request", { ctx: { sourceElement } });
  assert.equal(document.getElementById("chat-text").value, "");
});

test("a line that couldn't be sent comes back, unless another one is typed by then", async () => {
  await openTable({ more: CHAT });
  const sourceElement = document.querySelector(".chat-say");
  const line = document.getElementById("chat-text");
  line.value = "hello";
  tell("htmx:before:request", { ctx: { sourceElement } });
  tell("htmx:error", { ctx: { sourceElement } });
  assert.equal(line.value, "hello");
  tell("htmx:before:request", { ctx: { sourceElement } });
  line.value = "and now";
  tell("htmx:error", { ctx: { sourceElement } });
  assert.equal(line.value, "and now");
});

test("another request leaves the line of the chat alone", async () => {
  await openTable({ more: `${CHAT}<form id="act"></form>` });
  document.getElementById("chat-text").value = "hello";
  tell("htmx:before:request", { ctx: { sourceElement: document.getElementById("act") } });
  assert.equal(document.getElementById("chat-text").value, "hello");
});

test("what is typed in the chat and what is unfolded stay after one's own act", async () => {
  const more = `${CHAT}<details id="leave-game"></details>`;
  await openTable({ more });
  document.getElementById("chat-text").value = "hel";
  document.getElementById("leave-game").open = true;
  ownAct({ more });
  assert.equal(document.getElementById("chat-text").value, "hel");
  assert.ok(document.getElementById("leave-game").open);
});

test("the focus stays where it was, or goes to the heading of the part", async () => {
  const more = '<button id="say">Say</button>';
  await openTable({ more });
  document.getElementById("say").focus();
  ownAct({ more });
  assert.equal(document.activeElement.id, "say");
  ownAct({ round: 2 });
  assert.equal(document.activeElement.textContent, "Round 2");
});

test("the focus outside of the part isn't taken away", async () => {
  await openTable({}, "<button>Sound</button>");
  document.querySelector("button").focus();
  ownAct({ round: 2 });
  assert.equal(document.activeElement.textContent, "Sound");
});
