// Shows above the table that the connection is lost, and that the last choice wasn't sent. The note
// goes once the page hears from the server again.
//   <p id="line-lost" role="alert" hidden data-lost="…" data-unsent="…">

const PATIENCE = 2000; // ms: a stream that comes back at once was no loss
const note = document.getElementById("line-lost");
/** @type {number | undefined} */
let timer;

/** @param {HTMLElement} line */
function follow(line) {
  const show = (/** @type {string | undefined} */ words) => {
    clearTimeout(timer);
    timer = undefined;
    line.textContent = words ?? "";
    line.hidden = !words;
  };
  const showLost = () => show(line.dataset.lost);

  addEventListener("offline", showLost);
  addEventListener("online", () => show(""));
  document.addEventListener("live:line", ({ detail }) => {
    if (detail.on) show("");
    else timer ??= setTimeout(showLost, PATIENCE);
  });
  document.addEventListener("htmx:error", () => show(line.dataset.unsent));
}

if (note) follow(note);
