// A time in the reader's own zone, where it isn't the page's.
//   <time datetime="2026-12-03T18:30:00+01:00" data-own-time="your time">19:30</time>

function show(element) {
  const moment = new Date(element.dateTime);
  const shift = element.dateTime.match(/([+-])(\d\d):(\d\d)$/);
  const offset = shift ? (shift[1] === "-" ? -1 : 1) * (60 * shift[2] + Number(shift[3])) : 0;
  if (-moment.getTimezoneOffset() === offset || element.dataset.ownTimeShown) return;
  element.dataset.ownTimeShown = "yes";
  const form = { weekday: "short", hour: "2-digit", minute: "2-digit" };
  const own = moment.toLocaleString(document.documentElement.lang, form);
  element.append(` (${own} ${element.dataset.ownTime})`);
}

function showAll() {
  document.querySelectorAll("time[data-own-time]").forEach(show);
}

document.addEventListener("htmx:after:swap", showAll);
showAll();
