// Moments in the reader's own time zone and words: each <time data-own-time> of a page, also of
// parts that come later.

const shown = new Intl.DateTimeFormat(document.documentElement.lang, {
  weekday: "short",
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

function show() {
  for (const time of document.querySelectorAll("time[data-own-time]")) {
    const words = shown.format(new Date(time.dateTime));
    if (time.textContent !== words) time.textContent = words;
    time.title = zone;
  }
}

document.addEventListener("live:swapped", show);
document.addEventListener("htmx:after:swap", show);
document.addEventListener("htmx:afterSwap", show);
show();
