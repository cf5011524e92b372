// Who finished where, by tapping names in the order of finish: who is left at the end is last. Without scripts each
// name has a list of places.
const form = document.querySelector("[data-result]");
const rows = [...form?.querySelectorAll("[data-places] li") ?? []];
const placed = () => rows.filter((row) => row.querySelector("select").value).length;
const mark = () => rows.forEach((row) => row.classList.toggle("placed", Boolean(row.querySelector("select").value)));

for (const row of rows) {
  const select = row.querySelector("select");
  row.addEventListener("click", (event) => {
    if (!event.target.closest(".tap")) return;
    event.preventDefault();
    if (!select.value) select.value = String(placed() + 1);
    const left = rows.filter((one) => !one.querySelector("select").value);
    if (left.length === 1) left[0].querySelector("select").value = String(rows.length);
    mark();
  });
  select.addEventListener("change", mark);
}
const again = form?.querySelector("[data-again]");
if (again) again.hidden = false;
form?.addEventListener("reset", () => requestAnimationFrame(mark));
mark();
