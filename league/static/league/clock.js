// The clock of a round counts down by the server's time, and rings at the end if somebody asks for
// it.
//   <p data-clock-now="…" data-clock="…" data-clock-over="Time is up">12:34</p>
// data-clock-now is when the server wrote the page. data-clock is when the time is up; it is absent
// while the clock stands. The time since the page arrived comes from a clock that nobody can set,
// so it doesn't matter if this device's clock is wrong.

let page = { writtenAt: "", serverTime: 0, arrivedAt: 0 };
let sound = false;
let runningTo = ""; // the end that the clock was running to when it was last looked at

/**
 * Return the server's time in milliseconds.
 * @param {HTMLElement} clock
 */
function serverNow(clock) {
  const writtenAt = clock.dataset.clockNow ?? "";
  if (writtenAt !== page.writtenAt) {
    page = { writtenAt, serverTime: Date.parse(writtenAt), arrivedAt: performance.now() };
  }
  return page.serverTime + performance.now() - page.arrivedAt;
}

function ring() {
  const audio = new AudioContext();
  const tones = [
    [0, 660],
    [0.35, 660],
    [0.7, 880],
  ];
  for (const [start, pitch] of tones) {
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0.25, audio.currentTime + start);
    volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + start + 0.3);
    tone.connect(volume).connect(audio.destination);
    tone.start(audio.currentTime + start);
    tone.stop(audio.currentTime + start + 0.3);
  }
}

function showSound() {
  const button = document.querySelector("[data-clock-sound]");
  if (!button) return;
  button.hidden = false;
  button.setAttribute("aria-pressed", String(sound));
}

function tick() {
  showSound();
  const clock = document.querySelector("[data-clock]");
  if (!clock) return;
  const endsAt = clock.dataset.clock ?? "";
  const left = Math.max(0, Math.ceil((Date.parse(endsAt) - serverNow(clock)) / 1000));
  const minutes = Math.floor(left / 60);
  const seconds = String(left % 60).padStart(2, "0");
  clock.textContent = left ? `${minutes}:${seconds}` : (clock.dataset.clockOver ?? "");
  clock.classList.toggle("over", !left);
  const end = document.querySelector("[data-clock-end]");
  const word = document.querySelector("[data-clock-word]");
  if (end) end.hidden = Boolean(left);
  if (word) word.hidden = !left;
  if (left) {
    runningTo = endsAt;
  } else if (runningTo === endsAt) {
    runningTo = "";
    if (sound) ring();
  }
}

document.addEventListener("click", (event) => {
  if (!event.target.closest("[data-clock-sound]")) return;
  sound = !sound;
  if (sound) ring(); // so that everybody knows how loud it is, and the browser allows it later
  tick();
});
document.addEventListener("live:swapped", tick);
setInterval(tick, 250);
tick();
