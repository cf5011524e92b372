// Choose the players of a game by tapping their faces in the order of the seats. A second tap takes
// a player off again. Without scripts the names are typed.

const form = document.querySelector("[data-seats]");
const faces = /** @type {HTMLButtonElement[]} */ ([
  ...(form?.querySelectorAll("[data-face]") ?? []),
]);
const seats = [...(form?.querySelectorAll("input[list]") ?? [])];

/** @param {HTMLElement} face */
const nameOf = (face) => face.querySelector("span")?.textContent ?? "";

/**
 * Return the place of the seat that a face has; -1 for none.
 * @param {HTMLElement} face
 */
function seatOf(face) {
  const names = [nameOf(face), face.dataset.face];
  return seats.findIndex(({ value }) => names.includes(value.trim()));
}

/**
 * Give the first seats to these names, and unfold those that are taken.
 * @param {(string | undefined)[]} names
 */
function seat(names) {
  seats.forEach((input, place) => {
    input.value = names[place] ?? "";
    const more = input.closest("details");
    if (more) more.open = place < names.length;
  });
  mark();
}

function mark() {
  const isFull = seats.every(({ value }) => value.trim());
  for (const face of faces) {
    const place = seatOf(face);
    face.setAttribute("aria-pressed", String(place >= 0));
    face.dataset.place = place < 0 ? "" : String(place + 1);
    face.disabled = isFull && place < 0;
  }
}

/** @param {HTMLElement} face */
function tap(face) {
  const taken = seats.map(({ value }) => value.trim()).filter(Boolean);
  const place = seatOf(face);
  if (place < 0) {
    seat([...taken, face.dataset.face]);
    return;
  }
  const sitting = seats[place].value.trim();
  seat(taken.filter((name) => name !== sitting));
}

form?.addEventListener("click", ({ target }) => {
  const face = target instanceof Element && target.closest("[data-face]");
  if (face) tap(face);
});
form?.addEventListener("input", mark);
for (const part of form?.querySelectorAll("[data-faces], [data-tap-hint]") ?? []) {
  part.hidden = false;
}
const typed = form?.querySelector("[data-type-hint]");
if (typed && faces.length) typed.hidden = true;
mark();
