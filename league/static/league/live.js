// Keeps a part of the page as the server has it.
//   <section data-live-url="/live/…" data-live-target="live" data-live-say="Table updated"
//     data-live-public>
// When the stream sends a message, the part with the id of data-live-target is fetched from the
// page's own address (HX-Target), at a random moment within the `spread` of milliseconds that the
// message names, so that many readers don't ask at once. With data-live-public everybody sees the
// same: no cookie is sent, and the server renders it once for all. Children with data-key slide to
// their new places; an empty data-key stands for the address of the child's first link. What was
// scrolled sideways stays so, and what is unfolded, if it has an id. Screen readers announce the
// part's own data-live-say, or else the section's. A part with data-live-version is left alone
// while that stays the same. While something in it has data-live-again="3", jobs are at work whose
// end alone the stream reports: then the part is fetched again about every 3 seconds.

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const SLIDE = 280; // ms
const GATHER = 150; // ms in which several messages become one fetch
const RETRY = 3000; // ms after a fetch that failed
const UNEVEN = 0.2; // share by which pages that ask again and again do so sooner or later than told

// A press of a finger or button ends on what it began on: until then nothing under it is replaced.
let isPressed = false;
const press = () => {
  isPressed = true;
};
const release = () => {
  isPressed = false;
};
addEventListener("pointerdown", press, true);
addEventListener("pointerup", release, true);
addEventListener("pointercancel", release, true);

/**
 * Wait for some milliseconds.
 * @param {number} time
 * @returns {Promise<void>}
 */
const pause = (time) =>
  new Promise((done) => {
    setTimeout(done, time);
  });

async function released() {
  while (isPressed) await pause(GATHER);
}

/** @param {HTMLElement} child */
const keyOf = (child) => child.dataset.key || child.querySelector("a")?.href;

/**
 * Return how far from the top of the window each child is, by its key.
 * @param {HTMLElement} element
 */
function topsOf(element) {
  const tops = new Map();
  for (const child of element.querySelectorAll("[data-key]")) {
    tops.set(keyOf(child), child.getBoundingClientRect().top);
  }
  return tops;
}

/**
 * Let children slide to their places from where they were before.
 * @param {HTMLElement} element
 * @param {Map<string | undefined, number>} before
 */
function slide(element, before) {
  if (calm.matches) return;
  for (const child of element.querySelectorAll("[data-key]")) {
    const top = before.get(keyOf(child));
    if (top === undefined) continue;
    const by = top - child.getBoundingClientRect().top;
    if (!by) continue;
    const steps = [{ transform: `translateY(${by}px)` }, { transform: "none" }];
    child.animate(steps, { duration: SLIDE, easing: "ease-out" });
  }
}

/**
 * Return a selector of what replaces an element: by its id, or by the address of a link; null for
 * neither.
 * @param {Element} element
 */
function selectorOf(element) {
  const address = element.getAttribute("href");
  if (element.id) return `#${CSS.escape(element.id)}`;
  return address ? `a[href="${CSS.escape(address)}"]` : null;
}

/**
 * Replace an element. The focus stays on the link or field it was on, and what is typed stays
 * typed.
 * @param {HTMLElement} old
 * @param {HTMLElement} fresh
 */
function replace(old, fresh) {
  const active = old.contains(document.activeElement) ? document.activeElement : null;
  const typed = [...old.querySelectorAll("input[id]")].map(({ id, value }) => ({ id, value }));
  old.replaceWith(fresh);
  for (const { id, value } of typed) {
    const input = /** @type {HTMLInputElement | null} */ (document.getElementById(id));
    if (!input || input.value === value) continue;
    input.value = value;
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }
  const selector = active && selectorOf(active);
  if (selector) fresh.querySelector(selector)?.focus({ preventScroll: true });
}

/**
 * @param {HTMLElement} old
 * @param {HTMLElement} fresh
 */
function isSame(old, fresh) {
  const version = fresh.dataset.liveVersion;
  if (version === undefined) return old.innerHTML === fresh.innerHTML;
  return version === old.dataset.liveVersion;
}

/**
 * Show whether the page hears from the server.
 * @param {boolean} on
 */
function showLine(on) {
  document.dispatchEvent(new CustomEvent("live:line", { detail: { on } }));
  for (const dot of document.querySelectorAll("[data-live-dot]")) {
    dot.hidden = false;
    dot.dataset.state = on ? "on" : "off";
    dot.textContent = (on ? dot.dataset.on : dot.dataset.off) ?? "";
  }
}

/**
 * Put a fresh part in the place of the old one.
 * @param {HTMLElement} old
 * @param {HTMLElement} fresh
 * @param {string | undefined} say what to announce if the part doesn't say it
 */
function put(old, fresh, say) {
  const before = topsOf(old);
  const unfolded = [...old.querySelectorAll("details[id][open]")].map(({ id }) => id);
  const scrolled = [...old.querySelectorAll(".scroll")].map(({ scrollLeft }) => scrollLeft);
  replace(old, fresh);
  fresh.querySelectorAll(".scroll").forEach((element, place) => {
    element.scrollLeft = scrolled[place] ?? 0;
  });
  for (const id of unfolded) {
    fresh.querySelector(`details#${CSS.escape(id)}`)?.setAttribute("open", "");
  }
  slide(fresh, before);
  window.htmx?.process(fresh);
  showLine(true);
  const words = fresh.dataset.liveSay ?? say;
  if (words) document.getElementById("announce").textContent = words;
  fresh.dispatchEvent(new CustomEvent("live:swapped", { bubbles: true }));
}

/** @param {HTMLElement} source the section that names the stream */
function follow(source) {
  const { liveUrl = "", liveTarget = "", liveSay } = source.dataset;
  const language = document.documentElement.lang;
  const headers = { "HX-Request": "true", "HX-Target": liveTarget, "Accept-Language": language };
  const credentials = "livePublic" in source.dataset ? "omit" : "same-origin";
  let isRunning = false;
  let isAgain = false; // whether to fetch once more, as soon as that is possible
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let patience;

  async function refresh() {
    if (isRunning) {
      isAgain = true;
      return;
    }
    isRunning = true;
    try {
      await renew();
    } catch {
      showLine(false);
      setTimeout(soon, RETRY);
    } finally {
      isRunning = false;
      if (isAgain) {
        isAgain = false;
        soon();
      }
      wait();
    }
  }

  async function renew() {
    const answer = await fetch(location.href, { headers, credentials, cache: "no-cache" });
    if (answer.status >= 429) throw new Error(answer.statusText);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.getElementById(liveTarget);
    await released();
    const old = document.getElementById(liveTarget);
    if (answer.ok && old && fresh && !isSame(old, fresh)) put(old, fresh, liveSay);
  }

  function wait() {
    const again = document.querySelector(`#${CSS.escape(liveTarget)} [data-live-again]`);
    const seconds = Number(again?.dataset.liveAgain ?? 0);
    clearTimeout(patience);
    if (!seconds) return;
    const uneven = 1 + UNEVEN * (2 * Math.random() - 1);
    patience = setTimeout(soon, 1000 * seconds * uneven);
  }

  function soon(spread = 0) {
    if (document.hidden) {
      isAgain = true;
      return;
    }
    timer ??= setTimeout(
      () => {
        timer = undefined;
        refresh();
      },
      GATHER + Math.random() * spread,
    );
  }

  function wake() {
    if (document.hidden || !isAgain) return;
    isAgain = false;
    soon();
  }

  const stream = new EventSource(liveUrl);
  stream.addEventListener("open", () => showLine(true));
  stream.addEventListener("error", () => showLine(false));
  stream.addEventListener("message", ({ data }) => soon(JSON.parse(data).spread));
  document.addEventListener("visibilitychange", wake);
  addEventListener("pagehide", () => stream.close());
  wait();
}

for (const source of document.querySelectorAll("[data-live-url]")) follow(source);
