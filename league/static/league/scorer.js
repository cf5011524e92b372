// The scorer of a table: a page that needs no network once it was opened. It shows where the table stands, asks for the
// round (round.js), and hands what is entered to the outbox (outbox.js), which keeps and sends it.

import { Outbox, fold } from "./outbox.js";
import { bidWords, button, el, facts, faultNode, grid, many, outcome, outcomeNode, primary, round, roundNode, ruling, say, seats, shape, who } from "./round.js";
import { preview } from "./sheet.js";

const main = document.getElementById("score");
const KEY = `${facts.page}write/`; // where a phone gets a key
const [state, more] = ["score-state", "score-more"].map((id) => document.getElementById(id));
const DEPTHS = ["losses", "last", "bids", "dice"];
const REASONS = ["miscounted", "misheard", "mistyped", "wrong_seat"];
const forgetful = new Map(); // where the browser keeps nothing
function keep(name, value) {
  try { localStorage.setItem(name, value); } catch { forgetful.set(name, value); }
}
function kept(name) {
  try { return localStorage.getItem(name) ?? forgetful.get(name); } catch { return forgetful.get(name); }
}

let rules, outbox, row, problem;
let view = { kind: "round", draft: {} };
let depth = DEPTHS.find((one) => one === kept("score-depth")) ?? "last";
const avatars = new Map([...document.querySelectorAll("template[data-avatar]")].map((one) => [one.dataset.avatar, one.content.firstElementChild]));

// What the screens are made of: the row's sheet, or of a round that is amended the sheet as it was before it.
function tableOf() {
  const folded = view.scratch ?? fold(row, rules);
  const names = row.seats.map(({ name }) => name);
  return {
    ...folded, names, depth, draft: view.draft, redraw,
    avatars: row.seats.map(({ handle }) => avatars.get(handle)),
    settings: { ...rules[row.kind].settings, ...row.rules },
    sure: view.number && say("why"),
    note: (value) => (view.number ? redraw(view.scratch.sheet.apply({ act: "note", value })) : enter("note", value)),
    close: (value) => (view.number ? show({ ...view, kind: "reason", value }) : enter("close", value)),
  };
}
async function enter(act, value) {
  const before = tableOf();
  const said = act === "close" ? outcome(before, preview(before.sheet, value)).join(" ") : say(`did_${act}`);
  view = { kind: "round", draft: {} };
  const fault = await outbox.add(row.id, row.entries.length + row.waiting.length, act, value);
  tell(fault?.code === "stale" ? say("stale") : said);
  if (fault?.message) show({ kind: "fault", fault });
}
const tell = (words) => { document.getElementById("announce").textContent = words; };

function show(next) {
  view = next;
  draw();
}
const home = () => show({ kind: "round", draft: {} });
const back = (kind) => () => show({ kind, draft: {} });
const redraw = (again) => draw(again);

// The page: what is shown, with the focus on what comes first, or on what it was on.
function draw(again) {
  const screen = screenOf();
  const bar = screen.back && button([shape("i-prev", "size-5"), say("back")], screen.back, "btn btn-outline");
  const title = el("h1", { tabindex: "-1" }, screen.title);
  const ended = outbox.state === "refused" && row && !problem && el("p", { class: "note note-error" }, el("span", {}, say("key_ended"), " ", el("a", { href: KEY }, say("get_key"))));
  main.replaceChildren(
    ended || "", ...[el("div", { class: "score-head" }, screen.lead ?? "", title, screen.hint && el("p", { class: "score-hint" }, screen.hint)), el("div", { class: "score-body" }, screen.body ?? "")],
    el("div", { class: "score-foot" }, screen.foot || "", el("div", { class: "score-row" }, bar || "", screen.below ?? "")),
  );
  more.hidden = !row || view.kind === "more";
  stateShown();
  for (const one of main.querySelectorAll("[data-columns]")) {
    (one.querySelector("[data-first]:enabled") ?? one.querySelector("button:enabled"))?.setAttribute("tabindex", "0");
  }
  const first = main.querySelector(`[data-again="${again}"]:enabled`) ?? main.querySelector("[data-first]:enabled") ?? title;
  first.focus({ preventScroll: true });
  if (first !== title) first.scrollIntoView({ block: "center" });
}
function stateShown() {
  const waiting = row?.waiting?.length ?? 0;
  const look = outbox.state;
  const words = [waiting > 0 && many("unsent", waiting), look !== "sent" && say(`state_${look}`)].filter(Boolean);
  state.classList.toggle("unsent", words.length > 0);
  state.textContent = words.join(" · ") || say("all_sent");
}

function screenOf() {
  if (problem) return problemScreen();
  if (row.trouble && !["reason"].includes(view.kind)) return troubleScreen();
  const table = tableOf();
  const screen = SCREENS[view.kind];
  if (screen) return screen(table);
  if (row.sealed) return sealedScreen(table);
  if (table.sheet.over && !view.number) return endScreen(table);
  return roundScreen(table);
}
function roundScreen(table) {
  const { sheet } = table;
  const shown = round(table);
  const untouched = !Object.keys(view.draft).some((name) => !["losses", "doubters", "opener"].includes(name)) || (view.draft.losses && !view.draft.losses.some(Boolean));
  const number = view.number ?? sheet.closed + 1;
  const lead = [shown.lead, el("p", { class: "score-number" }, say(sheet.game.owned ? "round" : "turn", { number }), view.number ? ` · ${say("amending")}` : "")];
  const hint = shown.hint ?? (untouched && sheet.closed > 0 && !view.number && [`${sheet.closed}: `, roundNode(table, table.rounds.at(-1))]);
  const choice = untouched && sheet.game.owned && !sheet.notes.length && depthChoice();
  const leave = view.number && untouched ? { back: back("rounds"), foot: [choice, shown.foot, button(say("was_void"), () => table.close({ void: true }), "btn btn-outline")] } : {};
  const below = untouched && !view.number && undoButton(table);
  return { ...shown, foot: [choice, shown.foot], ...leave, lead, hint, below: [below] };
}
function depthChoice() {
  const choose = (one) => () => { depth = one; keep("score-depth", one); view.draft = {}; draw(`depth-${one}`); };
  return el("div", { class: "score-depths", role: "group", "aria-label": say("depth") }, DEPTHS.map((one) =>
    button(say(`depth_${one}`), choose(one), "btn", { "aria-pressed": String(depth === one), "data-again": `depth-${one}` })));
}
function undoButton({ sheet }) {
  const words = sheet.notes.length ? say("undo_note") : say(sheet.game.owned ? "undo_round" : "undo_turn", { number: sheet.closed });
  return (sheet.notes.length > 0 || sheet.last_round) && button(words, () => enter("undo", {}), "btn btn-outline");
}

// What is rarely needed, each behind a question.
function moreScreen({ sheet }) {
  const began = sheet.closed || sheet.notes.length;
  const line = (name, go) => el("li", {}, button(say(name), go, "btn btn-outline btn-lg score-wide"));
  const playing = !sheet.over && !row.sealed;
  return {
    title: say("more"), back: home,
    body: [el("ul", { class: "score-list" },
      sheet.closed > 0 && !row.sealed && line("rounds_so_far", back("rounds")), playing && !began && line("who_opens", back("opener")),
      playing && line("somebody_leaves", back("leave")), playing && line("void_round", back("void")), playing && line("time_up", back("time")),
      el("li", {}, button(say("light_or_dark"), null, "btn btn-ghost score-wide", { "data-theme-toggle": true })),
      el("li", {}, el("a", { class: "btn btn-ghost score-wide", href: facts.docs, target: "_blank" }, say("rules"))),
      el("li", {}, el("a", { class: "btn btn-ghost score-wide", href: facts.page }, facts.name))), el("p", { class: "small" }, keptWords())],
  };
}
const keptWords = () => say(!outbox.lasting ? "kept_nowhere" : "serviceWorker" in navigator ? "kept" : "kept_open");
function sure(table, title, value, rulings, act = "close") {
  const seen = act === "close" ? preview(table.sheet, value) : {};
  const body = seen.fault ? faultNode(table, seen.fault) : act === "close" ? outcomeNode(table, seen) : null;
  return { title, hint: rulings.map((number) => [say("ruling"), " ", ruling(number)]), body, back: back("more"), foot: !seen.fault && primary(say("yes"), () => enter(act, value)) };
}
const chosen = (seat) => show({ ...view, seat });
const SCREENS = {
  more: moreScreen,
  fault: (table) => ({ title: say("not_taken"), body: faultNode(table, view.fault), back: home }),
  opener(table) {
    const title = view.seat === undefined ? say("who_opens") : say("opens_game", { name: table.names[view.seat] });
    if (view.seat === undefined) return { title, body: seats(table, title, chosen), back: back("more") };
    return sure(table, title, { seat: view.seat }, [table.sheet.game.owned ? "B15" : "K14"], "opener");
  },
  leave(table) {
    if (view.seat === undefined) return { title: say("who_leaves"), body: seats(table, say("who_leaves"), chosen), back: back("more") };
    const { notes, game } = table.sheet;
    const within = notes.length && game.owned ? { void: true, moves: notes.map(({ bid }) => bid) } : {};
    return sure(table, say("leaves", { name: table.names[view.seat] }), { forfeit: [view.seat], ...within }, [game.owned ? "B17" : "K15"]);
  },
  void: (table) => sure(table, say("void_round"), { void: true }, [table.sheet.game.owned ? "B18" : "K17"]),
  time: (table) => sure(table, say("time_up"), { ended: "clock" }, [table.sheet.game.owned ? "B20" : "K17"]),
  rounds(table) {
    const amend = (place) => () => {
      const opened = row.entries.concat(row.waiting).filter(({ act }) => act === "opener").slice(-1);
      const before = table.rounds.slice(0, place).map((value, number) => ({ act: "close", value, key: number }));
      show({ kind: "round", draft: {}, number: place + 1, scratch: fold(row, rules, [...opened, ...before]) });
    };
    const lines = table.rounds.map((value, place) => el("li", {}, button(
      [el("b", {}, place + 1), el("span", {}, roundNode(table, value))], amend(place), "score-seat")));
    return { title: say("rounds_so_far"), hint: say("tap_to_amend"), body: el("ol", { class: "score-seats" }, lines.reverse()), back: back("more") };
  },
  reason() {
    const go = (reason) => () => {
      const { number, value, settles } = view;
      if (!settles) return enter("amend", { number, reason, round: value });
      view = { kind: "round", draft: {} };
      return outbox.settle(row.id, "amend", reason);
    };
    return { title: say("why"), back: home, body: el("ul", { class: "score-list" }, REASONS.map((reason) => el("li", {}, button(say(reason), go(reason), "btn btn-outline btn-lg score-wide")))) };
  },
};

// The end: places and points, then the seal.
function placesNode(table) {
  const { rank, points } = table.sheet.ending();
  const order = rank.map((_, seat) => seat).sort((one, other) => rank[one] - rank[other]);
  const isScore = table.settings.scoring !== "placement";
  return el("ol", { class: "finishes big" }, order.map((seat) =>
    el("li", {}, el("b", {}, rank[seat]), who(table, seat), isScore && el("span", { class: "n" }, many("points", points[seat])))));
}
function endScreen(table) {
  const words = row.sealing ? "seals_later" : "seal_means";
  return {
    title: say("game_over"), hint: say(words), body: placesNode(table),
    foot: !row.sealing && primary(say("seal"), () => outbox.seal(row.id)), below: undoButton(table),
  };
}
const sealedScreen = (table) => ({
  title: say("sealed"), hint: say("sealed_means"), body: placesNode(table),
  foot: [el("a", { class: "btn btn-primary btn-huge", href: `${facts.games}${row.sealed}/` }, say("to_game")),
    button(say("next_game"), openNext, "btn btn-outline btn-lg score-wide")],
});

// Two phones wrote different things, or the server refuses an entry: somebody at the table chooses.
function entryNode(table, entry) {
  const { act, value } = entry;
  if (act === "close") return [el("b", {}, say("round", { number: entry.seen + 1 })), " ", roundNode(table, value), effectNode(table, entry)];
  if (act === "amend") return [el("b", {}, say("round", { number: value.number })), " ", roundNode(table, value.round), ` (${say(value.reason)})`];
  if (act === "note") return value.bid ? say("did_bid", { name: table.names[value.seat], bid: bidWords(value.bid) }) : value.say;
  return say(`did_${act}`);
}
function effectNode(table, { value, seen }) {
  const opened = row.entries.filter(({ act }) => act === "opener").slice(-1);
  const before = table.rounds.slice(0, seen).map((one, number) => ({ act: "close", value: one, key: number }));
  const there = fold(row, rules, [...opened, ...before]);
  const result = preview(there.sheet, value);
  return result.fault ? faultNode({ ...table, ...there }, result.fault) : outcomeNode({ ...table, ...there }, result);
}
function troubleScreen() {
  const { code, place, from, detail } = row.trouble;
  const names = row.seats.map(({ name }) => name);
  const table = { ...fold(row, rules, row.entries), names };
  const mine = row.waiting[place];
  const rival = mine?.act === "close" ? table.rounds[mine.seen] : undefined;
  const theirs = rival ? [{ act: "close", value: rival, seen: mine.seen }] : row.entries.slice(from);
  const card = (title, entries) => el("section", { class: "card score-choice" }, el("h2", {}, title), el("ul", {}, entries.map((entry) => el("li", {}, entryNode(table, entry)))));
  const settle = (choice) => () => outbox.settle(row.id, choice);
  if (code !== "overtaken") {
    const drop = mine && button(say(code === "sealed" ? "drop_all" : "drop_mine"), settle("drop"), "btn btn-outline btn-lg score-wide");
    return { title: say("not_taken"), lead: el("p", { class: "note note-error" }, detail), body: mine && card(say("this_phone"), [mine]), foot: [primary(say("again"), settle("again")), drop] };
  }
  const amend = () => show({ kind: "reason", settles: true });
  return {
    title: say("two_phones"), hint: say("nothing_lost"), body: [card(say("other_phone"), theirs), card(say("this_phone"), [mine])],
    foot: [primary(say("keep_theirs"), settle("drop")), rival && button(say("mine_right"), amend, "btn btn-outline btn-lg score-wide")],
  };
}
function problemScreen() {
  const links = [el("a", { class: "btn btn-primary btn-huge", href: KEY }, say("get_key")), el("a", { class: "btn btn-ghost score-wide", href: facts.page }, facts.name)];
  return { title: say("cannot_write"), body: el("p", { class: "note note-warning" }, problem), foot: [links, button(say("again"), openNext, "btn btn-outline btn-lg score-wide")] };
}

async function openNext() {
  problem = null;
  try {
    const refused = await outbox.open(facts.table);
    const known = await newest();
    if (refused) problem = refused.status === 401 || refused.status === 403 ? say("key_ended") : refused.detail;
    if (refused && (known?.waiting.length || known?.sealed)) problem = null;
    row = known;
  } catch {
    outbox.state = "offline";
    row = await newest();
    if (!row) problem = say("not_here_yet");
  }
  outbox.shown = row?.id;
  home();
  outbox.wake();
}
// The game of this table that was opened last; before it one that waits for somebody to choose.
async function newest() {
  const games = (await outbox.rows()).filter(({ table }) => table === facts.table).sort((one, other) => (one.opened < other.opened ? 1 : -1));
  return games.find(({ trouble }) => trouble) ?? games[0];
}
async function changed(next) {
  if (next && next.id !== outbox.shown) return;
  const busy = !next || JSON.stringify(view.draft) !== "{}" || view.kind !== "round";
  const written = next && row && next.entries.length + next.waiting.length !== row.entries.length + row.waiting.length;
  const stands = next && row && (Boolean(next.trouble) !== Boolean(row.trouble) || next.sealed !== row.sealed || next.sealing !== row.sealing);
  row = next ?? row;
  if (next?.agreed) {
    tell(say("agreed"));
    await outbox.change(next.id, (now) => { delete now.agreed; });
  }
  if (written || stands) {
    if (written && busy && next.entries.length) view = { kind: "round", draft: {} };
    draw();
  } else if (!next && outbox.state === "refused") draw();
  else stateShown();
}

addEventListener("keydown", (event) => {
  const cells = event.target.closest?.("[data-columns]");
  const columns = Number(cells?.dataset.columns);
  const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns }[event.key];
  if (!cells || !step) return;
  event.preventDefault();
  const all = [...cells.children];
  let place = all.indexOf(event.target) + step;
  while (all[place] && !all[place].matches("button:enabled")) place += step;
  all[place]?.focus();
});
more.addEventListener("click", back("more"));

async function begin() {
  const key = location.hash.slice(1);
  rules = await (await fetch(facts.rules)).json();
  outbox = new Outbox({ api: facts.api, language: facts.language, rules, changed });
  if (key) await outbox.keepKey(facts.table, key);
  if (key) history.replaceState(null, "", location.pathname);
  await openNext();
  if ("serviceWorker" in navigator) navigator.serviceWorker.register(facts.worker, { scope: facts.scope });
}
begin();
