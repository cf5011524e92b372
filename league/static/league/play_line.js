// A lost connection is shown above the table, and that what was chosen isn't sent; it goes once the page hears again.
//   <p id="line-lost" role="alert" hidden data-lost="…" data-unsent="…">

const PATIENCE = 2000; // ms: a stream that comes back at once was no loss
const note = document.getElementById("line-lost");
let timer;

function show(words) {
  clearTimeout(timer);
  timer = undefined;
  note.textContent = words;
  note.hidden = !words;
}

const lost = () => show(note.dataset.lost);

if (note) {
  addEventListener("offline", lost);
  addEventListener("online", () => show(""));
  document.addEventListener("live:line", ({ detail }) => {
    if (detail.on) show("");
    else timer ??= setTimeout(lost, PATIENCE);
  });
  document.addEventListener("htmx:error", () => show(note.dataset.unsent));
}
