// Lügen-Kniffel at an online table by keyboard. play.js reads out the dice (d), the last
// announcement (l) and the time (t).
//   1 to 5  keeps that die, or rolls it again after all · r  rolls · a  goes to the announcement
//   b  believes · c  doubts
// The form does everything without this file, too.

const form = () => document.getElementById("act");

/** @param {string} words */
function say(words) {
  document.getElementById("announce").textContent = words;
}

/** @param {string} act */
function press(act) {
  const button = form()?.querySelector(`button[value=${act}]`);
  /** @type {HTMLButtonElement | null | undefined} */ (button)?.click();
}

/** @param {number} number */
function tap(number) {
  const dice = form()?.querySelectorAll("input[name=keep]") ?? [];
  const die = dice[number - 1];
  if (!die) return;
  die.click();
  const { stays, rolls } = die.closest("fieldset")?.dataset ?? {};
  const label = die.closest("label")?.textContent?.trim();
  say(`${label}: ${die.checked ? stays : rolls}`);
}

/** @type {Record<string, () => void>} */
const KEYS = {
  r: () => press("roll"),
  a: () => form()?.querySelector("[name=true_say], [name=say]")?.focus(),
  b: () => press("believe"),
  c: () => press("doubt"),
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (event.target.closest("input[type=text], textarea, select")) return;
  if (/^[1-5]$/.test(event.key)) tap(Number(event.key));
  else KEYS[event.key]?.();
});
