// Who sits at a game, by tapping faces in the order of the seats; tapped once more, a player leaves. Without scripts the
// seats are named.
const form = document.querySelector("[data-seats]");
const faces = [...(form?.querySelectorAll("[data-face]") ?? [])];
const seats = [...(form?.querySelectorAll("input[list]") ?? [])];
const nameOf = (face) => face.querySelector("span").textContent;
const holds = (face) =>
  seats.findIndex(({ value }) => [nameOf(face), face.dataset.face].includes(value.trim()));

// Seats close up, and those that are taken can be seen.
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
    const place = holds(face);
    face.setAttribute("aria-pressed", String(place >= 0));
    face.dataset.place = place < 0 ? "" : place + 1;
    face.disabled = isFull && place < 0;
  }
}
form?.addEventListener("click", ({ target }) => {
  const face = target.closest("[data-face]");
  if (!face) return;
  const taken = seats.map(({ value }) => value.trim()).filter(Boolean);
  const place = holds(face);
  const sitting = place < 0 ? null : seats[place].value.trim();
  seat(sitting === null ? [...taken, face.dataset.face] : taken.filter((name) => name !== sitting));
});
form?.addEventListener("input", mark);
for (const part of form?.querySelectorAll("[data-faces], [data-tap-hint]") ?? [])
  part.hidden = false;
const typed = form?.querySelector("[data-type-hint]");
if (typed && faces.length) typed.hidden = true;
mark();
