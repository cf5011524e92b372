// The clock of a round: what is left runs down by the server's time, and sounds at its end for who asks for it.
//   <p data-clock-now="…" data-clock="…" data-clock-over="Time is up">12:34</p>
// data-clock-now is when the server wrote the page, data-clock when the time is up (absent while the clock stands). How
// long the page has been here is counted by a clock that nobody sets, so a wrong clock in this machine does no harm.

let here = { text: null, server: 0, arrived: 0 };
let sound = false;
let ran = ""; // the end that was still to come when it was last looked at

function serverNow(clock) {
  if (clock.dataset.clockNow !== here.text) {
    here = {
      text: clock.dataset.clockNow,
      server: Date.parse(clock.dataset.clockNow),
      arrived: performance.now(),
    };
  }
  return here.server + performance.now() - here.arrived;
}

function ring() {
  const audio = new AudioContext();
  for (const [start, pitch] of [
    [0, 660],
    [0.35, 660],
    [0.7, 880],
  ]) {
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

function tick() {
  const button = document.querySelector("[data-clock-sound]");
  if (button) {
    button.hidden = false;
    button.setAttribute("aria-pressed", String(sound));
  }
  const clock = document.querySelector("[data-clock]");
  if (!clock) return;
  const left = Math.max(0, Math.ceil((Date.parse(clock.dataset.clock) - serverNow(clock)) / 1000));
  clock.textContent = left
    ? `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`
    : clock.dataset.clockOver;
  clock.classList.toggle("over", !left);
  const end = document.querySelector("[data-clock-end]");
  const word = document.querySelector("[data-clock-word]");
  if (end) end.hidden = Boolean(left);
  if (word) word.hidden = !left;
  if (left) ran = clock.dataset.clock;
  else if (ran === clock.dataset.clock) {
    ran = "";
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
