// Who finished where, by tapping names in the order of finish. The last one left takes the last place; a second tap
// takes a place back, except the last one, which many people tap as well. Lists of places stand behind a button, and
// in browsers without scripts.
const form = document.querySelector("[data-result]");
const list = form?.querySelector("[data-places]");
const seats = [...(list?.children ?? [])].map((row) => ({
  row,
  select: row.querySelector("select"),
  chip: chipOf(row),
}));

function chipOf(row) {
  const label = row.querySelector(".tap");
  const chip = document.createElement("button");
  chip.type = "button";
  chip.className = "tap chip";
  chip.append(
    ...[...label.childNodes].map((node) => node.cloneNode(true)),
    document.createElement("b"),
  );
  label.className = "sr-only list-label";
  row.prepend(chip);
  return chip;
}

const placeOf = (seat) => Number(seat.select.value);
const unplaced = () => seats.filter((seat) => !placeOf(seat));

function tap(seat) {
  const place = placeOf(seat);
  if (!place) give(seat);
  else if (place < seats.length) takeBack(seat, place);
  show();
}

function give(seat) {
  seat.select.value = String(seats.length - unplaced().length + 1);
  const left = unplaced();
  if (left.length === 1) left[0].select.value = String(seats.length);
}

function takeBack(seat, place) {
  seat.select.value = "";
  for (const other of seats) {
    if (placeOf(other) > place) other.select.value = String(placeOf(other) - 1);
  }
}

function show() {
  for (const seat of seats) {
    const place = seat.select.value;
    seat.row.classList.toggle("placed", Boolean(place));
    seat.chip.setAttribute("aria-pressed", String(Boolean(place)));
    seat.chip.querySelector("b").textContent = place;
  }
  const seal = form.querySelector("[data-seal]");
  if (seal) enlarge(unplaced().length ? form.querySelector("[data-look]") : seal);
}

function enlarge(button) {
  for (const other of form.querySelectorAll("[data-look], [data-seal]")) {
    const large = other === button;
    other.classList.toggle("btn-primary", large);
    other.classList.toggle("btn-huge", large);
    other.classList.toggle("btn-outline", !large);
  }
}

function showLists(shown) {
  list.classList.toggle("by-taps", !shown);
  form.querySelector("[data-tapping]").hidden = shown;
  form.querySelector("[data-choosing]").hidden = !shown;
  form.querySelector("[data-more]").setAttribute("aria-expanded", String(shown));
}

if (list) {
  for (const seat of seats) {
    seat.chip.addEventListener("click", () => tap(seat));
    seat.select.addEventListener("change", show);
  }
  const more = form.querySelector("[data-more]");
  const again = form.querySelector("[data-again]");
  more.hidden = false;
  if (again) again.hidden = false;
  more.addEventListener("click", () => showLists(list.classList.contains("by-taps")));
  form.addEventListener("reset", () => requestAnimationFrame(show));
  showLists(Boolean(list.querySelector(".error")));
  show();
}
