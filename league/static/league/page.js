// Small comforts; every page works without them.

// The menu on a phone, and menus that close on Escape or a click elsewhere.
document.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-menu]");
  if (button) {
    const isOpen = button.getAttribute("aria-expanded") === "true";
    button.setAttribute("aria-expanded", String(!isOpen));
  }
  for (const drop of document.querySelectorAll("details.drop[open]")) {
    if (!drop.contains(target)) drop.open = false;
  }
  const opener = target.closest("[data-dialog]");
  if (opener) dialogOf(opener)?.showModal();
  if (target instanceof HTMLDialogElement && target.matches(".ask")) target.close();
  if (target.closest("[data-print]")) window.print();
  const copier = target.closest("[data-copy]");
  if (copier) copy(copier, document.getElementById(copier.dataset.copy ?? "")?.textContent ?? "");
  const sharer = target.closest("[data-share]");
  if (sharer) share(sharer);
});

/** @param {HTMLElement} opener */
function dialogOf(opener) {
  const id = opener.dataset.dialog ?? "";
  return /** @type {HTMLDialogElement | null} */ (document.getElementById(id));
}

/**
 * Copy a text, and say so. `navigator.clipboard` exists only on pages that are served by HTTPS.
 * @param {HTMLElement} button
 * @param {string} text
 */
async function copy(button, text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    copySelected(text);
  }
  const done = button.dataset.done ?? "";
  button.textContent = done;
  document.getElementById("announce").textContent = done;
}

/** @param {string} text */
function copySelected(text) {
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "sr-only";
  document.body.append(field);
  field.select();
  document.execCommand("copy");
  field.remove();
}

/**
 * Share a page by what the device offers for that. Where it offers nothing, copy the address.
 * @param {HTMLElement} button
 */
async function share(button) {
  const { share: url = "", title } = button.dataset;
  if (!navigator.share) return copy(button, url);
  return navigator.share({ title, url }).catch(() => {}); // closing the device's menu is no error
}

for (const button of document.querySelectorAll("[data-share]")) button.hidden = false;
if (location.hash === "#print") addEventListener("load", () => print());
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const drop of document.querySelectorAll("details.drop[open]")) {
    drop.open = false;
    drop.querySelector("summary")?.focus();
  }
});

/** @type {Record<string, string>} */
const BASE_LETTERS = {
  ł: "l",
  ø: "o",
  đ: "d",
  ð: "d",
  ħ: "h",
  ı: "i",
  ß: "ss",
  æ: "ae",
  œ: "oe",
  þ: "th",
};

/**
 * Fold a text to one without capitals and accents, as league/core/frame/name_key.py folds names.
 * @param {string} text
 */
const folded = (text) =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[\p{M}\u200c\u200d]/gu, "")
    .replace(/[‘’ʼ]/g, "'")
    .replace(/[łøđðħıßæœþ]/g, (letter) => BASE_LETTERS[letter]);

// Show the rows of a table that match what is typed; Enter asks the server as ever.
document.addEventListener("input", ({ target }) => {
  const id = target.dataset?.filter;
  if (!id) return;
  const words = folded(target.value).split(/\s+/).filter(Boolean);
  const rows = [...document.querySelectorAll(`#${CSS.escape(id)} tbody tr`)];
  for (const row of rows) {
    const text = folded(row.textContent ?? "");
    row.hidden = !words.every((word) => text.includes(word));
  }
  const none = document.querySelector(`[data-filter-none="${CSS.escape(id)}"]`);
  if (!none) return;
  none.hidden = rows.some((row) => !row.hidden);
  if (none.hidden) return;
  none.textContent = (none.dataset.words ?? "").replace("{q}", target.value.trim());
  document.getElementById("announce").textContent = none.textContent;
});

/**
 * Scroll the chosen step and tab into view within their strip, without moving the page.
 * @param {ParentNode} root
 */
function showCurrent(root) {
  const over = ".stepper:not(:has([aria-current])) > :last-child";
  const chosen = `.stepper [aria-current], ${over}, .tabbar [aria-current]`;
  for (const here of root.querySelectorAll(chosen)) {
    const strip = here.closest("ol, ul");
    if (!strip) continue;
    const from = here.getBoundingClientRect().left - strip.getBoundingClientRect().left;
    strip.scrollLeft += from - (strip.clientWidth - here.clientWidth) / 2;
  }
}

showCurrent(document);
document.addEventListener("htmx:after:swap", () => showCurrent(document));
