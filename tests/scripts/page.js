// Opens a page for a script, without a browser.

import { webcrypto } from "node:crypto";
import { mock } from "node:test";
import { JSDOM } from "jsdom";

const FROM_WINDOW = [
  "CustomEvent",
  "DOMParser",
  "Element",
  "Event",
  "FormData",
  "HTMLDetailsElement",
  "HTMLElement",
  "HTMLInputElement",
  "HTMLSelectElement",
  "Node",
  "addEventListener",
  "document",
  "localStorage",
  "location",
  "navigator",
  "sessionStorage",
  "window",
];
const SCRIPTS = new URL("../../league/static/league/", import.meta.url);
let imports = 0;

/** Set a global, also one that Node has as a getter. */
export function setGlobal(name, value) {
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
}

/** Open a page with this body; scripts that are imported from now on find it. */
export function openPage(body, { url = "https://club.example/play/1/", lang = "en" } = {}) {
  const announce = '<p id="announce" role="status"></p>';
  const html = `<html lang="${lang}"><body>${body}${announce}</body></html>`;
  const { window } = new JSDOM(html, { url, pretendToBeVisual: true });
  for (const name of FROM_WINDOW) setGlobal(name, window[name]);
  setGlobal("crypto", webcrypto);
  setGlobal("CSS", { escape: (text) => text.replace(/[^\w-]/g, "\\$&") });
  setGlobal("matchMedia", () => ({ matches: false }));
  return window.document;
}

/** Import a script as if its page had just been loaded. */
export function load(script) {
  imports += 1;
  return import(new URL(`${script}?${imports}`, SCRIPTS));
}

export const announced = () => document.getElementById("announce").textContent;

/** Press a key on an element, or else on the page. Return the event. */
export function press(key, { on = document.body, ...more } = {}) {
  const options = { key, bubbles: true, cancelable: true, ...more };
  const event = new window.KeyboardEvent("keydown", options);
  on.dispatchEvent(event);
  return event;
}

/** Tell the page of an event, as htmx and live.js do. */
export function tell(type, detail = {}) {
  const event = new CustomEvent(type, { detail, bubbles: true, cancelable: true });
  document.dispatchEvent(event);
  return event;
}

/** Stop the time. Return what lets milliseconds pass. */
export function stopTime() {
  let now = 0;
  mock.timers.reset();
  mock.timers.enable();
  mock.method(performance, "now", () => now);
  return (milliseconds) => {
    now += milliseconds;
    mock.timers.tick(milliseconds);
  };
}

/** Record the pitches that the page sounds. */
export function listen() {
  const pitches = [];
  const silence = { setValueAtTime: () => {}, exponentialRampToValueAtTime: () => {} };
  class AudioContext {
    currentTime = 0;
    destination = {};
    resume() {}
    createOscillator() {
      const frequency = {};
      const start = () => pitches.push(frequency.value);
      return { frequency, start, stop: () => {}, connect: (next) => next };
    }
    createGain() {
      return { gain: silence, connect: (next) => next };
    }
  }
  setGlobal("AudioContext", AudioContext);
  return pitches;
}
