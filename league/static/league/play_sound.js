// Short sounds for one's own turn and for “Cups up!”. They are made here, so no file is fetched.
// They are off until somebody switches them on; the browser remembers that.
//   <button data-play-sound aria-pressed="false" hidden>

/** @typedef {[number, number]} Tone seconds from the start, and hertz */

const KEY = "play-sound";
/** @type {Tone[]} */
const TURN = [
  [0, 660],
  [0.12, 880],
];
/** @type {Tone[]} */
const CUPS_UP = [
  [0, 220],
  [0.1, 330],
  [0.2, 494],
];
const LENGTH = 0.25; // seconds of a tone
const LOUD = 0.2;
/** @type {AudioContext | undefined} */
let audio;

function isOn() {
  try {
    return localStorage.getItem(KEY) === "on";
  } catch {
    return false;
  }
}

/** @param {boolean} on */
function remember(on) {
  try {
    localStorage.setItem(KEY, on ? "on" : "off");
  } catch {
    // a browser that keeps nothing asks again on the next page
  }
}

/** @param {Tone[]} tones */
function ring(tones) {
  audio ??= new AudioContext();
  audio.resume();
  for (const [start, pitch] of tones) {
    const at = audio.currentTime + start;
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(LOUD, at);
    volume.gain.exponentialRampToValueAtTime(0.001, at + LENGTH);
    tone.connect(volume).connect(audio.destination);
    tone.start(at);
    tone.stop(at + LENGTH);
  }
}

function show() {
  for (const button of document.querySelectorAll("[data-play-sound]")) {
    button.hidden = false;
    button.setAttribute("aria-pressed", String(isOn()));
  }
}

export function soundOfTurn() {
  if (isOn()) ring(TURN);
}

export function soundOfCups() {
  if (isOn()) ring(CUPS_UP);
}

document.addEventListener("click", (event) => {
  if (!event.target.closest("[data-play-sound]")) return;
  remember(!isOn());
  show();
  soundOfTurn(); // so that everybody knows how loud it is, and the browser allows it later
});
show();
