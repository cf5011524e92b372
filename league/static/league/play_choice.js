// What is chosen for a bid and not sent yet: it survives a reload, and acts of others that replace the form.

const KEY = `play-choice:${location.pathname}`;
const move = (form) => form.querySelector("input[name=length]").value;
const fields = (form) => form.querySelectorAll("input[name=field], input[name=face], input[name=roll]");

export function keepChoice(form) {
  const chosen = [...fields(form)].filter((input) => input.checked).map(({ name, value }) => [name, value]);
  const choice = { length: move(form), chosen };
  try {
    sessionStorage.setItem(KEY, JSON.stringify(choice));
  } catch {
    // a browser that keeps nothing begins again
  }
}

// A choice is that of one move: once somebody has acted, it is forgotten.
export function restoreChoice(form) {
  let choice;
  try {
    choice = JSON.parse(sessionStorage.getItem(KEY));
  } catch {
    return;
  }
  if (!choice || choice.length !== move(form)) return;
  for (const input of fields(form)) {
    input.checked = choice.chosen.some(([name, value]) => name === input.name && value === input.value);
  }
  const field = form.querySelector("input[name=field]:checked");
  const folded = field?.closest("details");
  if (folded) folded.open = true;
}
