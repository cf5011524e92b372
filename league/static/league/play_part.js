// What stays, what is said and what moves when the part of a table that follows the game is replaced: after one's own act
// by htmx, after the acts of others by live.js.
// What is typed in the chat stays typed until it is sent; lines of others are said, too.
//   <div id="live" data-round="3" data-reveal="Cups up! …" data-turn="Your turn."> … <li data-say="Karla: 7 fours.">
// Each bid is said once, in its order; then whose turn it is.

import { soundOfCups, soundOfTurn } from "./play_sound.js";

const STEP = 140; // ms from one die that counts to the next
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const part = () => document.getElementById("live");
const spoken = { round: "", bids: 0, turn: "", lines: new Set() };
const kept = { unfolded: [], focus: "", held: false, typed: "", said: "" };
const chat = () => document.getElementById("chat-text");

function newLines() {
  const lines = [...part().querySelectorAll("[data-chat]")].map(
    ({ parentElement: { id }, dataset }) => [id, dataset.chat],
  );
  const unheard = lines.filter(([id]) => !spoken.lines.has(id));
  spoken.lines = new Set(lines.map(([id]) => id));
  return unheard.map(([, words]) => words);
}

function newWords() {
  const { round = "", reveal = "", turn = "" } = part().dataset;
  const bids = [...part().querySelectorAll("[data-say]")].map((bid) => bid.dataset.say);
  const isNewRound = spoken.round !== "" && round !== spoken.round;
  const heard = round === spoken.round ? spoken.bids : 0;
  const words = isNewRound && reveal ? [reveal, ...bids] : bids.slice(heard);
  const isNewTurn = Boolean(turn) && (words.length > 0 || turn !== spoken.turn);
  if (isNewTurn) words.push(turn);
  words.push(...newLines());
  Object.assign(spoken, { round, bids: bids.length, turn });
  return { words, isNewRound, isNewTurn };
}

// The dice that count light up one after the other, and are counted aloud in figures.
function reveal() {
  const stage = part().querySelector(".play-last");
  const figure = stage?.querySelector("[data-count]");
  if (!figure || calm.matches) return;
  const total = Number(figure.textContent);
  stage.classList.add("is-new");
  stage.querySelectorAll(".die.hit").forEach((die, place) => {
    die.style.animationDelay = `${STEP * (place + 2)}ms`;
  });
  for (let count = 0; count <= total; count += 1) {
    setTimeout(
      () => {
        figure.textContent = count;
      },
      STEP * (count + 1),
    );
  }
}

function tell() {
  if (!part()) return;
  const { words, isNewRound, isNewTurn } = newWords();
  if (words.length) document.getElementById("announce").textContent = words.join(" ");
  if (isNewRound) {
    reveal();
    soundOfCups();
  } else if (isNewTurn) soundOfTurn();
}

// The line is empty once it is on its way: the answer may find another form here, because the stream was faster.
function empty({ detail }) {
  if (!detail.ctx.sourceElement.matches(".chat-say")) return;
  kept.said = chat().value;
  chat().value = "";
}

function putBack({ detail }) {
  const isSaid = detail.ctx?.sourceElement?.matches(".chat-say");
  if (isSaid && chat() && !chat().value) chat().value = kept.said;
}

function before() {
  kept.typed = chat()?.value ?? "";
  const active = document.activeElement;
  kept.unfolded = [...part().querySelectorAll("details[id][open]")].map(({ id }) => id);
  kept.held = part().contains(active);
  kept.focus = active?.id ?? "";
}

// Where what had the focus is gone, the heading of the part gets it, so that Tab goes on from there.
function after() {
  for (const id of kept.unfolded) {
    const same = document.getElementById(id);
    if (same) same.open = true;
  }
  if (chat()) chat().value = kept.typed;
  if (kept.held && !part().contains(document.activeElement)) {
    const same = kept.focus && document.getElementById(kept.focus);
    (same || part().querySelector("h2[tabindex]"))?.focus({ preventScroll: true });
  }
  tell();
}

// An answer without the part, as one that says that too much was sent, leaves the table as it is.
function isFit(event) {
  if (event.detail.ctx.response.status < 400) return true;
  event.preventDefault();
  location.reload();
  return false;
}

document.addEventListener("htmx:before:request", empty);
document.addEventListener("htmx:error", putBack);
document.addEventListener("htmx:before:swap", (event) => {
  if (isFit(event)) before();
});
document.addEventListener("htmx:after:swap", after);
document.addEventListener("live:swapped", tell);
if (part()) newWords();
