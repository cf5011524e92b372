// Small comforts; every page works without them.

// The menu on a phone, and menus that close on Escape or a click elsewhere.
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-menu]");
  if (button)
    button.setAttribute("aria-expanded", String(button.getAttribute("aria-expanded") !== "true"));
  for (const drop of document.querySelectorAll("details.drop[open]"))
    if (!drop.contains(event.target)) drop.open = false;

  const opener = event.target.closest("[data-dialog]");
  if (opener) document.getElementById(opener.dataset.dialog)?.showModal();
  if (event.target.matches("dialog.ask")) event.target.close();
  if (event.target.closest("[data-print]")) window.print();
  const copier = event.target.closest("[data-copy]");
  if (copier) copy(copier, document.getElementById(copier.dataset.copy).textContent);
  const sharer = event.target.closest("[data-share]");
  if (sharer) share(sharer);
});

// Copies a text, and says so. `navigator.clipboard` is there only where a page is served by HTTPS.
async function copy(button, text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    copySelected(text);
  }
  button.textContent = button.dataset.done;
  document.getElementById("announce").textContent = button.dataset.done;
}
function copySelected(text) {
  const field = Object.assign(document.createElement("textarea"), {
    value: text,
    className: "sr-only",
  });
  document.body.append(field);
  field.select();
  document.execCommand("copy");
  field.remove();
}

// Hands a page on by what the device offers for that, else by a copy of its address.
async function share(button) {
  const { share: url, title } = button.dataset;
  if (!navigator.share) return copy(button, url);
  return navigator.share({ title, url }).catch(() => {}); // who closes the device's menu has thought better of it
}
for (const button of document.querySelectorAll("[data-share]")) button.hidden = false;
if (location.hash === "#print") addEventListener("load", () => print());
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const drop of document.querySelectorAll("details.drop[open]")) {
    drop.open = false;
    drop.querySelector("summary").focus();
  }
});

// A text without capitals and accents, as league/core/frame/name_key.py folds names.
const baseLetters = {
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
const folded = (text) =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[\p{M}\u200c\u200d]/gu, "")
    .replace(/[‘’ʼ]/g, "'")
    .replace(/[łøđðħıßæœþ]/g, (letter) => baseLetters[letter]);

// Rows of a table that match what is typed; Enter asks the server as ever.
document.addEventListener("input", (event) => {
  const id = event.target.dataset?.filter;
  if (!id) return;
  const words = folded(event.target.value).split(/\s+/).filter(Boolean);
  for (const row of document.querySelectorAll(`#${CSS.escape(id)} tbody tr`)) {
    const text = folded(row.textContent);
    row.hidden = !words.every((word) => text.includes(word));
  }
  const none = document.querySelector(`[data-filter-none="${CSS.escape(id)}"]`);
  none.hidden = Boolean(document.querySelector(`#${CSS.escape(id)} tbody tr:not([hidden])`));
  if (none.hidden) return;
  none.textContent = none.dataset.words.replace("{q}", event.target.value.trim());
  document.getElementById("announce").textContent = none.textContent;
});

// The chosen step and tab come into view in their strip without moving the page.
const showCurrent = (root) => {
  const over = ".stepper:not(:has([aria-current])) > :last-child";
  for (const here of root.querySelectorAll(
    `.stepper [aria-current], ${over}, .tabbar [aria-current]`,
  )) {
    const strip = here.closest("ol, ul");
    const from = here.getBoundingClientRect().left - strip.getBoundingClientRect().left;
    strip.scrollLeft += from - (strip.clientWidth - here.clientWidth) / 2;
  }
};
showCurrent(document);
document.addEventListener("htmx:after:swap", () => showCurrent(document));
