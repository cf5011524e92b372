// What stays, what is announced and what moves when the part of a table that follows the game is
// replaced: by htmx after one's own act, by live.js after the acts of others. What is typed in the
// chat stays until it is sent; lines of others are announced, too.
//   <div id="live" data-round="3" data-reveal="Cups up! …" data-turn="Your turn.">
//     … <li data-say="…">
// Each bid is announced once, in its order; then whose turn it is.

import { soundOfCups, soundOfTurn } from "./play_sound.js";

const STEP = 140; // ms from one die that counts to the next
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const part = () => document.getElementById("live");
const chat = () => document.getElementById("chat-text");
const spoken = { round: "", bids: 0, turn: "", lines: /** @type {Set<string>} */ (new Set()) };
const kept = {
  unfolded: /** @type {string[]} */ ([]),
  focus: "",
  held: false, // whether the focus was in the part
  typed: "",
  said: "",
};

/** @param {HTMLElement} live */
function newLines(live) {
  const lines = [...live.querySelectorAll("[data-chat]")].map((line) => ({
    id: line.parentElement?.id ?? "",
    words: line.dataset.chat ?? "",
  }));
  const unheard = lines.filter(({ id }) => !spoken.lines.has(id));
  spoken.lines = new Set(lines.map(({ id }) => id));
  return unheard.map(({ words }) => words);
}

/**
 * Return what hasn't been announced yet.
 * @param {HTMLElement} live
 */
function newWords(live) {
  const { round = "", reveal = "", turn = "" } = live.dataset;
  const bids = [...live.querySelectorAll("[data-say]")].map((bid) => bid.dataset.say ?? "");
  const isNewRound = spoken.round !== "" && round !== spoken.round;
  const heard = round === spoken.round ? spoken.bids : 0;
  const words = isNewRound && reveal ? [reveal, ...bids] : bids.slice(heard);
  const isNewTurn = Boolean(turn) && (words.length > 0 || turn !== spoken.turn);
  if (isNewTurn) words.push(turn);
  words.push(...newLines(live));
  Object.assign(spoken, { round, bids: bids.length, turn });
  return { words, isNewRound, isNewTurn };
}

/**
 * Light the dice that count up one after the other, and count along in figures.
 * @param {HTMLElement} live
 */
function reveal(live) {
  const stage = live.querySelector(".play-last");
  const figure = stage?.querySelector("[data-count]");
  if (!stage || !figure || calm.matches) return;
  const total = Number(figure.textContent);
  stage.classList.add("is-new");
  stage.querySelectorAll(".die.hit").forEach((die, place) => {
    die.style.animationDelay = `${STEP * (place + 2)}ms`;
  });
  for (let count = 0; count <= total; count += 1) {
    const show = () => {
      figure.textContent = String(count);
    };
    setTimeout(show, STEP * (count + 1));
  }
}

function announce() {
  const live = part();
  if (!live) return;
  const { words, isNewRound, isNewTurn } = newWords(live);
  if (words.length) document.getElementById("announce").textContent = words.join(" ");
  if (isNewRound) {
    reveal(live);
    soundOfCups();
  } else if (isNewTurn) {
    soundOfTurn();
  }
}

/**
 * Empty the line of the chat once it is on its way: the answer may find another form here, because
 * the stream was faster.
 * @param {HTMLElement} form
 */
function emptyLine(form) {
  const line = chat();
  if (!line || !form.matches(".chat-say")) return;
  kept.said = line.value;
  line.value = "";
}

/**
 * Put the line back that couldn't be sent.
 * @param {HTMLElement | undefined} form
 */
function putLineBack(form) {
  const line = chat();
  if (line && !line.value && form?.matches(".chat-say")) line.value = kept.said;
}

function before() {
  const live = part();
  const active = document.activeElement;
  const unfolded = live?.querySelectorAll("details[id][open]") ?? [];
  kept.typed = chat()?.value ?? "";
  kept.unfolded = [...unfolded].map(({ id }) => id);
  kept.held = Boolean(live?.contains(active));
  kept.focus = active?.id ?? "";
}

// Where what had the focus is gone, the heading of the part gets it, so that Tab goes on from
// there.
function after() {
  for (const id of kept.unfolded) {
    const same = /** @type {HTMLDetailsElement | null} */ (document.getElementById(id));
    if (same) same.open = true;
  }
  const live = part();
  const line = chat();
  if (line) line.value = kept.typed;
  if (live && kept.held && !live.contains(document.activeElement)) {
    const same = kept.focus ? document.getElementById(kept.focus) : null;
    (same ?? live.querySelector("h2[tabindex]"))?.focus({ preventScroll: true });
  }
  announce();
}

document.addEventListener("htmx:before:request", ({ detail }) => {
  emptyLine(detail.ctx.sourceElement);
});
document.addEventListener("htmx:error", ({ detail }) => putLineBack(detail.ctx?.sourceElement));
document.addEventListener("htmx:before:swap", (event) => {
  if (event.detail.ctx.response.status < 400) {
    before();
    return;
  }
  // An answer without the part, as one that says that too much was sent, leaves the table as it is.
  event.preventDefault();
  location.reload();
});
document.addEventListener("htmx:after:swap", after);
document.addEventListener("live:swapped", announce);
const live = part();
if (live) newWords(live);
