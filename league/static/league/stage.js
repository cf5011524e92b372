// Steps through a game. A link to the stage, or the keys ← and →, fetches the stage alone. The
// focus stays where it was, the address follows, and the page announces the step. A long game is
// shown in sections: where another section begins, everything around the stage is fetched, too.
// Without this script the links load the page.

/** What a step leads to: a link of the page, or an address. @typedef {HTMLElement | URL} Target */

const stage = () => document.getElementById("stage");

/** @param {HTMLElement} link */
const addressOf = (link) => new URL(link.getAttribute("href") ?? "", location.href);

let shown = location.search;
let steps = Promise.resolve();

/**
 * Take one step after the other: two presses of a key go two steps, however long the first one
 * takes.
 * @param {() => Target | null | undefined} find called once the steps before are done
 * @param {boolean} push whether the address is a new entry of the browser's history
 */
function go(find, push = true) {
  steps = steps.then(() => step(find(), push));
}

/**
 * Fetch the part of the page that an address shows.
 * @param {URL} to
 * @param {string} [id] of the part; the main part by default
 */
async function ask(to, id) {
  /** @type {Record<string, string>} */
  const headers = { "HX-Request": "true" };
  if (id) headers["HX-Target"] = id;
  const answer = await fetch(to, { headers });
  if (!answer.ok) throw new Error(answer.statusText);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  return /** @type {HTMLElement} */ (page.getElementById(id ?? "main"));
}

/** @param {URL} to */
async function show(to) {
  let fresh = await ask(to, "stage");
  if (fresh.dataset.section !== stage().dataset.section) fresh = await ask(to);
  const target = /** @type {HTMLElement} */ (document.getElementById(fresh.id));
  await htmx.swap({ text: fresh.outerHTML, target, swap: "outerMorph", sourceElement: target });
}

/**
 * @param {Target | null | undefined} link
 * @param {boolean} push
 */
async function step(link, push) {
  if (!link) return;
  const to = link instanceof URL ? link : addressOf(link);
  const focus = document.activeElement;
  try {
    await show(to);
  } catch {
    location.assign(to);
    return;
  }
  if (push && to.search !== location.search) history.pushState(null, "", to);
  shown = location.search;
  mark();
  moveFocus(link, focus);
  document.getElementById("announce").textContent = stage().dataset.say ?? "";
}

/**
 * Readers who came from elsewhere on the page, or from a link that is gone, go on from the stage's
 * head.
 * @param {Target} link
 * @param {Element | null} focus before the step
 */
function moveFocus(link, focus) {
  const isElsewhere = link instanceof Element && link.isConnected && !stage().contains(link);
  if (isElsewhere) stage().scrollIntoView();
  if (isElsewhere || document.activeElement !== focus) {
    document.getElementById("stage-head").focus({ preventScroll: true });
  }
}

/**
 * Return whether a spot belongs to the step that is shown: it is the step, part of it, or around
 * it.
 * @param {string} at
 * @param {string} here
 */
function belongs(at, here) {
  return at === here || at.startsWith(`${here}.`) || here.startsWith(`${at}.`);
}

// What is around the stage shows the step, and its links keep what was chosen there.
function mark() {
  const { here = "" } = stage().dataset;
  for (const spot of document.querySelectorAll("[data-at]")) {
    spot.classList.toggle("now", belongs(spot.dataset.at ?? "", here));
  }
  const now = new URLSearchParams(location.search);
  for (const link of document.querySelectorAll('main a[href^="?"]')) {
    if (stage().contains(link)) continue;
    const to = addressOf(link);
    const keys = to.hash === "#stage" ? ["view"] : ["round", "move", "view"];
    for (const key of keys) {
      const value = now.get(key);
      if (value === null) to.searchParams.delete(key);
      else to.searchParams.set(key, value);
    }
    link.setAttribute("href", to.search + to.hash);
  }
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a");
  const isPlain = !event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey;
  if (!link || event.button || !isPlain) return;
  const to = addressOf(link);
  if (to.hash !== "#stage" || to.pathname !== location.pathname) return;
  event.preventDefault();
  go(() => link);
});

addEventListener("popstate", () => {
  if (location.search !== shown) go(() => new URL(location.href), false);
});

/**
 * Find the link that an arrow key takes: the smallest step there is (a move of the round), or with
 * Shift the big one (a round).
 * @param {string} key
 * @param {number} by
 * @param {boolean} isShifted
 */
function linkOf(key, by, isShifted) {
  const small = [...stage().querySelectorAll("[data-step]")];
  if (small.length && !isShifted) return small.find((link) => link.dataset.step === key);
  if (!small.length && isShifted) return null;
  const big = [...stage().querySelectorAll("[data-stepper] a")];
  return big[big.findIndex((link) => link.hasAttribute("aria-current")) + by];
}

// A field, and whatever scrolls sideways, keeps its arrows.
document.addEventListener("keydown", (event) => {
  const { key, shiftKey } = event;
  if (key !== "ArrowLeft" && key !== "ArrowRight") return;
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.target.closest("input, textarea, select, dialog, [contenteditable], .scroll, pre")) {
    return;
  }
  go(() => linkOf(key, key === "ArrowLeft" ? -1 : 1, shiftKey));
});
