// Keeps a part of the page as the server has it.
//   <section data-live-url="/live/…" data-live-target="table" data-live-say="Table updated">
// When the stream speaks, the page's own address is fetched again (header HX-Request) and the element with the id of
// data-live-target is taken from the answer. Children with data-key slide to their new places. While something in it has
// data-live-again="3", jobs are at work of which the stream tells only the end: then it is asked again every 3 seconds.

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const SLIDE = 280; // ms
const GATHER = 150; // ms in which several messages become one fetch
const RETRY = 3000; // ms after a fetch that failed

const places = (element) =>
  new Map([...element.querySelectorAll("[data-key]")].map((child) => [child.dataset.key, child.getBoundingClientRect().top]));

function slide(element, before) {
  if (calm.matches) return;
  for (const child of element.querySelectorAll("[data-key]")) {
    const by = before.get(child.dataset.key) - child.getBoundingClientRect().top;
    if (by) child.animate([{ transform: `translateY(${by}px)` }, { transform: "none" }], { duration: SLIDE, easing: "ease-out" });
  }
}

// The focus stays on the link or field it was on, and what is typed stays typed, when the element around is replaced.
function keepFocus(element, swap) {
  const active = element.contains(document.activeElement) ? document.activeElement : null;
  const typed = [...element.querySelectorAll("input[id]")].map((input) => [input.id, input.value]);
  const fresh = swap();
  for (const [id, value] of typed) {
    const input = document.getElementById(id);
    if (!input || input.value === value) continue;
    input.value = value;
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }
  if (!active) return;
  const same = active.id ? `#${CSS.escape(active.id)}` : active.getAttribute("href") && `a[href="${CSS.escape(active.getAttribute("href"))}"]`;
  (same && fresh.querySelector(same))?.focus({ preventScroll: true });
}

function follow(source) {
  const { liveUrl, liveTarget, liveSay } = source.dataset;
  let timer, patience, running, again;

  const show = (on) => {
    for (const dot of document.querySelectorAll("[data-live-dot]")) {
      dot.hidden = false;
      dot.dataset.state = on ? "on" : "off";
      dot.textContent = on ? dot.dataset.on : dot.dataset.off;
    }
  };

  async function refresh() {
    if (running) { again = true; return; }
    running = true;
    try {
      const answer = await fetch(location.href, { headers: { "HX-Request": "true", "HX-Target": liveTarget }, cache: "no-cache" });
      const old = document.getElementById(liveTarget);
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById(liveTarget);
      if (!answer.ok || !old || !fresh || old.innerHTML === fresh.innerHTML) return;
      const before = places(old);
      keepFocus(old, () => { old.replaceWith(fresh); return fresh; });
      slide(fresh, before);
      window.htmx?.process(fresh);
      show(true);
      if (liveSay) document.getElementById("announce").textContent = liveSay;
      fresh.dispatchEvent(new CustomEvent("live:swapped", { bubbles: true }));
    } catch {
      show(false);
      setTimeout(soon, RETRY);
    } finally {
      running = false;
      if (again) { again = false; soon(); }
      wait();
    }
  }

  function wait() {
    const seconds = document.querySelector(`#${CSS.escape(liveTarget)} [data-live-again]`)?.dataset.liveAgain;
    clearTimeout(patience);
    if (seconds) patience = setTimeout(soon, 1000 * seconds);
  }

  function soon() {
    if (document.hidden) { again = true; return; }
    clearTimeout(timer);
    timer = setTimeout(refresh, GATHER);
  }

  const stream = new EventSource(liveUrl);
  stream.addEventListener("open", () => show(true));
  stream.addEventListener("error", () => show(false));
  for (const name of ["message", "ranking"]) stream.addEventListener(name, soon);
  document.addEventListener("visibilitychange", () => { if (!document.hidden && again) { again = false; soon(); } });
  addEventListener("pagehide", () => stream.close());
  wait();
}

for (const source of document.querySelectorAll("[data-live-url]")) follow(source);
