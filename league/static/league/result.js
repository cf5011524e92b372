// Enter who finished where by tapping names in the order of finish. The last player left takes the
// last place. A second tap takes a place back, except the last one, which many people tap as well.
// Lists of places are behind a button, and are what browsers without scripts show.

/** @typedef {{ row: Element, select: HTMLSelectElement, chip: HTMLButtonElement }} Seat */

const form = document.querySelector("form[data-result]");
const list = form?.querySelector("[data-places]");

/**
 * @param {Element} row
 * @returns {Seat}
 */
function seatOf(row) {
  const select = /** @type {HTMLSelectElement} */ (row.querySelector("select"));
  return { row, select, chip: chipOf(row) };
}

/** @param {Element} row */
function chipOf(row) {
  const label = /** @type {HTMLElement} */ (row.querySelector(".tap"));
  const chip = document.createElement("button");
  const copies = [...label.childNodes].map((node) => node.cloneNode(true));
  chip.type = "button";
  chip.className = "tap chip";
  chip.append(...copies, document.createElement("b"));
  label.className = "sr-only list-label";
  row.prepend(chip);
  return chip;
}

/**
 * Return the place of a seat; 0 for none.
 * @param {Seat} seat
 */
const placeOf = (seat) => Number(seat.select.value);

/**
 * @param {HTMLFormElement} form
 * @param {HTMLElement} list of places
 */
function begin(form, list) {
  const seats = [...list.children].map(seatOf);
  const unplaced = () => seats.filter((seat) => !placeOf(seat));

  function tap(/** @type {Seat} */ seat) {
    const place = placeOf(seat);
    if (!place) give(seat);
    else if (place < seats.length) takeBack(seat, place);
    show();
  }

  function give(/** @type {Seat} */ seat) {
    seat.select.value = String(seats.length - unplaced().length + 1);
    const left = unplaced();
    if (left.length === 1) left[0].select.value = String(seats.length);
  }

  function takeBack(/** @type {Seat} */ seat, /** @type {number} */ place) {
    seat.select.value = "";
    for (const other of seats) {
      const later = placeOf(other);
      if (later > place) other.select.value = String(later - 1);
    }
  }

  function show() {
    for (const seat of seats) {
      const place = seat.select.value;
      const figure = seat.chip.querySelector("b");
      seat.row.classList.toggle("placed", Boolean(place));
      seat.chip.setAttribute("aria-pressed", String(Boolean(place)));
      if (figure) figure.textContent = place;
    }
    const seal = form.querySelector("[data-seal]");
    if (seal) enlarge(unplaced().length ? form.querySelector("[data-look]") : seal);
  }

  function enlarge(/** @type {Element | null} */ button) {
    for (const other of form.querySelectorAll("[data-look], [data-seal]")) {
      const isLarge = other === button;
      other.classList.toggle("btn-primary", isLarge);
      other.classList.toggle("btn-huge", isLarge);
      other.classList.toggle("btn-outline", !isLarge);
    }
  }

  const part = (/** @type {string} */ selector) =>
    /** @type {HTMLElement} */ (form.querySelector(selector));
  const more = part("[data-more]");
  const again = form.querySelector("[data-again]");

  function showLists(/** @type {boolean} */ isShown) {
    list.classList.toggle("by-taps", !isShown);
    part("[data-tapping]").hidden = isShown;
    part("[data-choosing]").hidden = !isShown;
    more.setAttribute("aria-expanded", String(isShown));
  }

  for (const seat of seats) {
    seat.chip.addEventListener("click", () => tap(seat));
    seat.select.addEventListener("change", show);
  }
  more.hidden = false;
  if (again) again.hidden = false;
  more.addEventListener("click", () => showLists(list.classList.contains("by-taps")));
  form.addEventListener("reset", () => requestAnimationFrame(show));
  showLists(Boolean(list.querySelector(".error")));
  show();
}

if (form && list) begin(form, list);
