// The clock of the seat to act: it runs down by the server's time, as a bar and in figures. Who hears the page is told
// of the own turn's last 30 and 10 seconds, and by the key t at any time.
//   <div class="play-clock" data-deadline="…" data-ends="…" data-now="…" data-left="left"> <progress> … <b data-seconds>

const SECOND = 1000;
const SHORT = 10;
const TOLD = [30, 10]; // seconds
const clock = () => document.querySelector(".play-clock");
const count = new Intl.NumberFormat(document.documentElement.lang, {
  style: "unit",
  unit: "second",
  unitDisplay: "long",
});
let page = { text: null, server: 0, arrived: 0 };
let told = new Set();
let deadline = "";

// How long the page has been here is counted by a clock that nobody sets: a wrong clock in this machine does no harm. The
// page of spectators is kept and doesn't tell when it was sent.
function serverNow({ now }) {
  if (!now) return Date.now();
  if (now !== page.text) page = { text: now, server: Date.parse(now), arrived: performance.now() };
  return page.server + performance.now() - page.arrived;
}

export function secondsLeft() {
  const data = clock()?.dataset;
  return data
    ? Math.max(0, Math.ceil((Date.parse(data.deadline) - serverNow(data)) / SECOND))
    : null;
}

// In a counted game others can play on without a seat a minute after its time is up.
function isOver() {
  const { ends } = clock().dataset;
  return Date.parse(ends) <= serverNow(clock().dataset);
}

export function timeWords() {
  const seconds = secondsLeft();
  return seconds === null ? "" : `${count.format(seconds)} ${clock().dataset.left}`;
}

function warn(seconds) {
  if (!document.getElementById("act")) return;
  for (const limit of TOLD) {
    if (seconds > limit || told.has(limit)) continue;
    told.add(limit);
    if (seconds > limit - 5) document.getElementById("announce").textContent = timeWords();
  }
}

export function tick() {
  const seconds = secondsLeft();
  const figures = document.querySelector("[data-seconds]");
  if (seconds === null || !figures) return;
  if (clock().dataset.deadline !== deadline) {
    deadline = clock().dataset.deadline;
    told = new Set();
  }
  figures.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  clock().querySelector("progress").value = seconds;
  clock().classList.toggle("short", seconds <= SHORT);
  const late = document.querySelector(".play-late");
  if (late && isOver()) late.hidden = false;
  warn(seconds);
}

setInterval(tick, SECOND);
