// The clock of the seat to act counts down by the server's time, as a bar and in figures. Screen
// readers announce the last 30 and 10 seconds of the reader's own turn; the key t reads the time
// out.
//   <div class="play-clock" data-deadline="…" data-ends="…" data-now="…" data-left="left">
//     <progress> … <b data-seconds>

const SECOND = 1000;
const SHORT = 10; // seconds
const ANNOUNCED = [30, 10]; // seconds
const clock = () => document.querySelector(".play-clock");
const count = new Intl.NumberFormat(document.documentElement.lang, {
  style: "unit",
  unit: "second",
  unitDisplay: "long",
});
let page = { writtenAt: "", serverTime: 0, arrivedAt: 0 };
/** @type {Set<number>} */
let announced = new Set();
let deadline = "";

/**
 * Return the server's time in milliseconds. The time since the page arrived comes from a clock that
 * nobody can set, so it doesn't matter if this device's clock is wrong. The page of spectators is
 * cached and doesn't say when it was written.
 * @param {DOMStringMap} data of the clock
 */
function serverNow({ now }) {
  if (!now) return Date.now();
  if (now !== page.writtenAt) {
    page = { writtenAt: now, serverTime: Date.parse(now), arrivedAt: performance.now() };
  }
  return page.serverTime + performance.now() - page.arrivedAt;
}

/**
 * Return the whole seconds that are left, rounded up; null on a page without a clock.
 * @returns {number | null}
 */
export function secondsLeft() {
  const data = clock()?.dataset;
  if (!data) return null;
  const left = Date.parse(data.deadline ?? "") - serverNow(data);
  return Math.max(0, Math.ceil(left / SECOND));
}

/**
 * Return whether the others can play on without the seat: in a counted game, a minute after its
 * time.
 * @param {DOMStringMap} data of the clock
 */
function isOver(data) {
  return Date.parse(data.ends ?? "") <= serverNow(data);
}

/** Return the time that is left in words; nothing on a page without a clock. */
export function timeWords() {
  const seconds = secondsLeft();
  return seconds === null ? "" : `${count.format(seconds)} ${clock()?.dataset.left}`;
}

/** @param {number} seconds */
function warn(seconds) {
  if (!document.getElementById("act")) return;
  for (const limit of ANNOUNCED) {
    if (seconds > limit || announced.has(limit)) continue;
    announced.add(limit);
    if (seconds > limit - 5) document.getElementById("announce").textContent = timeWords();
  }
}

/** Show the time that is left, and announce it where it is short. */
export function tick() {
  const element = clock();
  const seconds = secondsLeft();
  const figures = document.querySelector("[data-seconds]");
  if (!element || seconds === null || !figures) return;
  const now = element.dataset.deadline ?? "";
  if (now !== deadline) {
    deadline = now;
    announced = new Set();
  }
  figures.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  const bar = element.querySelector("progress");
  if (bar) bar.value = seconds;
  element.classList.toggle("short", seconds <= SHORT);
  const late = document.querySelector(".play-late");
  if (late && isOver(element.dataset)) late.hidden = false;
  warn(seconds);
}

setInterval(tick, SECOND);
