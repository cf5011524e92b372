// Lügen-Kniffel at an online table by keyboard; play.js reads the dice (d), the last announcement (l) and the time (t).
//   1 to 5  that die stays, or rolls again after all · r  rolls · a  what one can announce · b  believes · c  doubts
// The form does everything without this file, too.

const say = (words) => {
  document.getElementById("announce").textContent = words;
};
const form = () => document.getElementById("act");
const press = (act) => form()?.querySelector(`button[value=${act}]`)?.click();

function tap(number) {
  const dice = form()?.querySelectorAll("input[name=keep]") ?? [];
  const die = dice[number - 1];
  if (!die) return;
  die.click();
  const { stays, rolls } = die.closest("fieldset").dataset;
  say(`${die.closest("label").textContent.trim()}: ${die.checked ? stays : rolls}`);
}

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
