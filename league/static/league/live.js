// Keeps a part of the page as the server has it.
//   <section data-live-url="/live/…" data-live-target="live" data-live-say="Table updated" data-live-public>
// When the stream speaks, the part with the id of data-live-target is fetched from the page's own address (HX-Target), at
// some moment within the `spread` of milliseconds that the stream names, so that many readers don't ask at once. With
// data-live-public it is what everybody sees: no cookie is sent, and the server makes it once for all.
// Children with data-key slide to their new places; where it is empty, the address of the child's first link is its key.
// What was scrolled sideways stays so. Who hears the page is told what the part says in its own data-live-say, or else what the section says.
// What is folded open stays so, if it has an id. A part with data-live-version is left alone while that stays the same.
// While something in it has data-live-again="3", jobs are at work of which the stream tells only the end: then it is asked
// again about every 3 seconds.

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const SLIDE = 280; // ms
const GATHER = 150; // ms in which several messages become one fetch
const RETRY = 3000; // ms after a fetch that failed
const UNEVEN = 0.2; // share by which pages that ask again and again do so sooner or later than they were told

// A press of a finger or button ends on what it began on: until then nothing under it is replaced.
let isPressed = false;
addEventListener(
  "pointerdown",
  () => {
    isPressed = true;
  },
  true,
);
addEventListener(
  "pointerup",
  () => {
    isPressed = false;
  },
  true,
);
addEventListener(
  "pointercancel",
  () => {
    isPressed = false;
  },
  true,
);

async function released() {
  while (isPressed)
    await new Promise((done) => {
      setTimeout(done, GATHER);
    });
}

const keyOf = (child) => child.dataset.key || child.querySelector("a").href;

const places = (element) =>
  new Map(
    [...element.querySelectorAll("[data-key]")].map((child) => [
      keyOf(child),
      child.getBoundingClientRect().top,
    ]),
  );

function slide(element, before) {
  if (calm.matches) return;
  for (const child of element.querySelectorAll("[data-key]")) {
    const by = before.get(keyOf(child)) - child.getBoundingClientRect().top;
    if (by)
      child.animate([{ transform: `translateY(${by}px)` }, { transform: "none" }], {
        duration: SLIDE,
        easing: "ease-out",
      });
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
  const same = active.id
    ? `#${CSS.escape(active.id)}`
    : active.getAttribute("href") && `a[href="${CSS.escape(active.getAttribute("href"))}"]`;
  (same && fresh.querySelector(same))?.focus({ preventScroll: true });
}

function isSame(old, fresh) {
  const version = fresh.dataset.liveVersion;
  return version === undefined
    ? old.innerHTML === fresh.innerHTML
    : version === old.dataset.liveVersion;
}

function follow(source) {
  const { liveUrl, liveTarget, liveSay } = source.dataset;
  const headers = {
    "HX-Request": "true",
    "HX-Target": liveTarget,
    "Accept-Language": document.documentElement.lang,
  };
  const credentials = "livePublic" in source.dataset ? "omit" : "same-origin";
  let timer, patience, running, again;

  const show = (on) => {
    document.dispatchEvent(new CustomEvent("live:line", { detail: { on } }));
    for (const dot of document.querySelectorAll("[data-live-dot]")) {
      dot.hidden = false;
      dot.dataset.state = on ? "on" : "off";
      dot.textContent = on ? dot.dataset.on : dot.dataset.off;
    }
  };

  function put(old, fresh) {
    const before = places(old);
    const unfolded = [...old.querySelectorAll("details[id][open]")].map(({ id }) => id);
    const scrolled = [...old.querySelectorAll(".scroll")].map(({ scrollLeft }) => scrollLeft);
    keepFocus(old, () => {
      old.replaceWith(fresh);
      return fresh;
    });
    fresh.querySelectorAll(".scroll").forEach((element, place) => {
      element.scrollLeft = scrolled[place] ?? 0;
    });
    for (const id of unfolded)
      fresh.querySelector(`details#${CSS.escape(id)}`)?.setAttribute("open", "");
    slide(fresh, before);
    window.htmx?.process(fresh);
    show(true);
    const say = fresh.dataset.liveSay ?? liveSay;
    if (say) document.getElementById("announce").textContent = say;
    fresh.dispatchEvent(new CustomEvent("live:swapped", { bubbles: true }));
  }

  async function refresh() {
    if (running) {
      again = true;
      return;
    }
    running = true;
    try {
      const answer = await fetch(location.href, { headers, credentials, cache: "no-cache" });
      if (answer.status >= 429) throw new Error(answer.statusText);
      const fresh = new DOMParser()
        .parseFromString(await answer.text(), "text/html")
        .getElementById(liveTarget);
      await released();
      const old = document.getElementById(liveTarget);
      if (!answer.ok || !old || !fresh || isSame(old, fresh)) return;
      put(old, fresh);
    } catch {
      show(false);
      setTimeout(soon, RETRY);
    } finally {
      running = false;
      if (again) {
        again = false;
        soon();
      }
      wait();
    }
  }

  function wait() {
    const seconds = document.querySelector(`#${CSS.escape(liveTarget)} [data-live-again]`)?.dataset
      .liveAgain;
    clearTimeout(patience);
    if (seconds)
      patience = setTimeout(soon, 1000 * seconds * (1 + UNEVEN * (2 * Math.random() - 1)));
  }

  function soon(spread = 0) {
    if (document.hidden) {
      again = true;
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

  const stream = new EventSource(liveUrl);
  stream.addEventListener("open", () => show(true));
  stream.addEventListener("error", () => show(false));
  stream.addEventListener("message", ({ data }) => soon(JSON.parse(data).spread));
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && again) {
      again = false;
      soon();
    }
  });
  addEventListener("pagehide", () => stream.close());
  wait();
}

for (const source of document.querySelectorAll("[data-live-url]")) follow(source);
