// Stepping through a game: a link to the stage brings the stage alone, by the keys ← and → as well. The focus stays where
// it was, the address goes along, and the page says the step aloud. A long game is shown in sections: where another one
// begins, all around the stage is brought, too. Without this script the links load the page.

const stage = () => document.getElementById("stage");
const address = (link) => new URL(link.getAttribute("href"), location.href);
let shown = location.search;
let steps = Promise.resolve();

// One step after the other: who presses a key twice goes two steps, however long the first one takes.
const go = (find, push = true) => {
  steps = steps.then(() => step(find(), push));
};

// A part of the page that an address shows, by its id; the main part if none is named.
async function ask(to, id) {
  const answer = await fetch(to, {
    headers: { "HX-Request": "true", ...(id && { "HX-Target": id }) },
  });
  if (!answer.ok) throw new Error(answer.statusText);
  return new DOMParser()
    .parseFromString(await answer.text(), "text/html")
    .getElementById(id ?? "main");
}

async function step(link, push) {
  if (!link) return;
  const to = link instanceof URL ? link : address(link);
  const focus = document.activeElement;
  try {
    let fresh = await ask(to, "stage");
    if (fresh.dataset.section !== stage().dataset.section) fresh = await ask(to);
    const target = document.getElementById(fresh.id);
    await htmx.swap({ text: fresh.outerHTML, target, swap: "outerMorph", sourceElement: target });
  } catch {
    location.assign(to);
    return;
  }
  if (push && to.search !== location.search) history.pushState(null, "", to);
  shown = location.search;
  mark();
  // Who came from elsewhere on the page, or from a link that is gone, goes on from the head of the stage.
  const elsewhere = link instanceof Element && link.isConnected && !stage().contains(link);
  if (elsewhere) stage().scrollIntoView();
  if (elsewhere || document.activeElement !== focus)
    document.getElementById("stage-head").focus({ preventScroll: true });
  document.getElementById("announce").textContent = stage().dataset.say;
}

// What stands around the stage shows the step, and its links keep what was chosen there.
function mark() {
  const { here } = stage().dataset;
  for (const spot of document.querySelectorAll("[data-at]")) {
    const { at } = spot.dataset;
    spot.classList.toggle(
      "now",
      at === here || at.startsWith(`${here}.`) || here.startsWith(`${at}.`),
    );
  }
  const now = new URLSearchParams(location.search);
  for (const link of document.querySelectorAll('main a[href^="?"]')) {
    if (stage().contains(link)) continue;
    const to = address(link);
    for (const key of to.hash === "#stage" ? ["view"] : ["round", "move", "view"]) {
      if (now.has(key)) to.searchParams.set(key, now.get(key));
      else to.searchParams.delete(key);
    }
    link.setAttribute("href", to.search + to.hash);
  }
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a");
  if (!link || event.button || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey)
    return;
  const to = address(link);
  if (to.hash !== "#stage" || to.pathname !== location.pathname) return;
  event.preventDefault();
  go(() => link);
});

addEventListener("popstate", () => {
  if (location.search !== shown) go(() => new URL(location.href), false);
});

// The arrows take the smallest steps there are (the moves of a round), with Shift the big ones (the rounds). A field, and
// whatever scrolls sideways, keeps its arrows.
document.addEventListener("keydown", (event) => {
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!by || event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.target.closest("input, textarea, select, dialog, [contenteditable], .scroll, pre"))
    return;
  go(() => {
    const small = [...stage().querySelectorAll("[data-step]")];
    if (small.length && !event.shiftKey)
      return small.find((link) => link.dataset.step === event.key);
    const big = [...stage().querySelectorAll("[data-stepper] a")];
    return small.length || !event.shiftKey
      ? big[big.findIndex((link) => link.hasAttribute("aria-current")) + by]
      : null;
  });
});
