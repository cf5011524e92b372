// The clock of the seat to act at an online table.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { announced, load, openPage, stopTime } from "./page.js";

const SECOND = 1000;
let pass;

beforeEach(() => {
  pass = stopTime();
});

/** Open a page whose clock has some seconds left by the server's time, as play.js does. */
async function openClock(seconds, { isOwn = true, now = "2026-05-01T20:00:00Z" } = {}) {
  const start = Date.parse("2026-05-01T20:00:00Z");
  const deadline = new Date(start + seconds * SECOND).toISOString();
  const ends = new Date(start + (seconds + 60) * SECOND).toISOString();
  openPage(`
    ${isOwn ? '<form id="act"></form>' : ""}
    <div class="play-clock" data-deadline="${deadline}" data-ends="${ends}" data-left="left"
        ${now ? `data-now="${now}"` : ""}>
      <progress max="90"></progress><b data-seconds></b>
    </div>
    <p class="play-late" hidden></p>`);
  const clock = await load("play_clock.js");
  clock.tick();
  return clock;
}

const figures = () => document.querySelector("[data-seconds]").textContent;
const element = () => document.querySelector(".play-clock");

test("it shows minutes and seconds of the server's time, however wrong this device's clock is", async () => {
  await openClock(65);
  assert.equal(figures(), "1:05");
  assert.equal(document.querySelector("progress").value, 65);
});

test("it counts down by itself", async () => {
  await openClock(65);
  pass(6 * SECOND);
  assert.equal(figures(), "0:59");
});

test("a second that has begun counts as a whole one", async () => {
  const { secondsLeft } = await openClock(10);
  pass(1);
  assert.equal(secondsLeft(), 10);
});

test("it stops at zero", async () => {
  const { secondsLeft } = await openClock(5);
  pass(8 * SECOND);
  assert.equal(secondsLeft(), 0);
  assert.equal(figures(), "0:00");
});

test("a page that doesn't say when it was written counts by this device's clock", async (t) => {
  const { secondsLeft } = await openClock(40, { now: null });
  t.mock.method(Date, "now", () => Date.parse("2026-05-01T20:00:10Z"));
  assert.equal(secondsLeft(), 30);
});

test("a page without a clock has no time left to tell", async () => {
  openPage("");
  const { secondsLeft, tick, timeWords } = await load("play_clock.js");
  assert.equal(secondsLeft(), null);
  assert.equal(timeWords(), "");
  assert.doesNotThrow(tick);
});

test("the time is told in words", async () => {
  const { timeWords } = await openClock(65);
  assert.equal(timeWords(), "65 seconds left");
});

test("the last ten seconds are marked as short", async () => {
  await openClock(12);
  assert.ok(!element().classList.contains("short"));
  pass(2 * SECOND);
  assert.ok(element().classList.contains("short"));
});

test("30 and 10 seconds of the own turn are announced, each once", async () => {
  await openClock(32);
  pass(SECOND);
  assert.equal(announced(), "");
  pass(SECOND);
  assert.equal(announced(), "30 seconds left");
  document.getElementById("announce").textContent = "";
  pass(SECOND);
  assert.equal(announced(), "");
  pass(19 * SECOND);
  assert.equal(announced(), "10 seconds left");
});

test("nothing is announced of the time of others", async () => {
  await openClock(31, { isOwn: false });
  pass(25 * SECOND);
  assert.equal(announced(), "");
});

test("a limit that has long passed isn't announced any more", async () => {
  await openClock(24);
  assert.equal(announced(), "");
});

test("the next turn is announced afresh", async () => {
  await openClock(31);
  pass(SECOND);
  assert.equal(announced(), "30 seconds left");
  document.getElementById("announce").textContent = "";
  element().dataset.deadline = "2026-05-01T20:00:31Z";
  pass(SECOND);
  assert.equal(announced(), "29 seconds left");
});

test("others can play on once the game's own limit is over", async () => {
  await openClock(5);
  const late = document.querySelector(".play-late");
  pass(64 * SECOND);
  assert.ok(late.hidden);
  pass(SECOND);
  assert.ok(!late.hidden);
});
