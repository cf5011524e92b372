// The scorer of a table, or of one game without a table: a page that needs no network once it was
// opened. It shows where the table is, asks for the round (round.js), and hands what is entered to
// the outbox (outbox.js), which keeps and sends it.

/**
 * @import { encodeQR as EncodeQR } from "qr"
 * @import {
 *   Compared, Entry, Gains, Problem, Row, SeatGain, Trouble, Waiting, Written, WrittenAct,
 * } from "../../static_src/types/outbox"
 * @import {
 *   Child, Depth, Draft, People, Screen, TableView, View,
 * } from "../../static_src/types/scorer"
 * @import { EnteredRound, Fault, KniffelGame, Rules } from "../../static_src/types/sheet"
 */

import { Outbox, alike, fold, idOf, isPlayed, signing } from "./outbox.js";
import {
  bidWords,
  button,
  el,
  facts,
  faultNode,
  isBluff,
  many,
  outcome,
  outcomeNode,
  previewNode,
  primary,
  round,
  roundNode,
  ruling,
  say,
  seats,
  shape,
  signed,
  who,
  words,
} from "./round.js";
import { preview } from "./sheet.js";

const KEY = facts.key; // the address at which a phone gets a key
const PLACE = facts.table ?? facts.open_game ?? ""; // what its key is for
/** @type {Depth[]} */
const DEPTHS = ["losses", "last", "bids", "dice"];
const SHORT = 120_000; // ms in which nobody plays a whole game
const ASKING = ["opener", "leave", "void", "time", "reason"]; // screens that ask somebody something
/** What the page shows of a row besides its entries. @type {(keyof Row)[]} */
const SHOWN = [
  "sealed",
  "sealing",
  "waits",
  "confirmation",
  "handed",
  "compared",
  "told",
  "gains",
  "ruled",
];
const REASONS = ["miscounted", "misheard", "mistyped", "wrong_seat"];
const WIDE = "btn btn-lg btn-outline score-wide";

const main = document.getElementById("score");
const badge = document.getElementById("score-state");
const more = document.getElementById("score-more");
const spoken = document.getElementById("announce");
/** @type {Map<string | undefined, Element | null>} */
const avatars = new Map();
for (const template of document.querySelectorAll("template[data-avatar]")) {
  avatars.set(template.dataset.avatar, template.content.firstElementChild);
}

/** @type {Rules} */
let rules;
/** @type {Outbox} */
let outbox;
/** The game that is shown; there is none while `problem` says why. @type {Row} */
let row;
/** @type {string | null} */
let problem = null;
/** @type {Depth} */
let depth = "last";
// Whether this page opens without network: "not_kept_yet", then "kept"; or "kept_open", where
// browsers keep no page, as by plain HTTP or with a certificate that nobody vouches for.
let keeping = "serviceWorker" in navigator ? "not_kept_yet" : "kept_open";
/** @type {View} */
let view = { kind: "round", draft: {} };

/** @param {Draft} draft */
const roundView = (draft = {}) => /** @type {View} */ ({ kind: "round", draft });

/**
 * Return what screens are made of: the sheet by now, or of a round that is amended the sheet before
 * it. While somebody fills a screen in, it is the sheet that they began with, whatever others
 * write.
 * @returns {TableView}
 */
function tableOf() {
  const { number, before: earlier } = view;
  const table = earlier ?? fold(view.begun ?? row, rules);
  const shown = { ...table, ...peopleOf(), depth, draft: view.draft, redraw: draw };
  if (!number) {
    return {
      ...shown,
      note: (value) => enter("note", value),
      close: (value) => enter("close", value),
    };
  }
  return {
    ...shown,
    sure: say("why"),
    note(value) {
      table.sheet.apply({ act: "note", value });
      draw();
    },
    close: (value) => show({ ...view, kind: "reason", value }),
  };
}

/** @returns {People} */
function peopleOf() {
  return {
    names: row.seats.map(({ name }) => name),
    avatars: row.seats.map(({ handle }) => avatars.get(handle)),
    settings: { ...rules[row.kind].settings, ...row.rules },
  };
}

/**
 * Return the table before one of its rounds, counted from 0.
 * @param {EnteredRound[]} rounds
 * @param {number} place
 * @param {(Entry | Waiting)[]} entries
 */
function before(rounds, place, entries = [...row.entries, ...row.waiting]) {
  const opened = entries.filter(({ act }) => act === "opener").slice(-1);
  const closed = rounds.slice(0, place).map((value, number) => {
    /** @type {Written & { key: string }} */
    const entry = { act: "close", value, key: String(number) };
    return entry;
  });
  return fold(row, rules, [...opened, ...closed]);
}

/**
 * Write an entry, and announce what came of it.
 * @param {WrittenAct} act
 * @param {Written["value"]} value
 */
async function enter(act, value) {
  const done = doneWords(act, value);
  const count = lengthOf(view.begun ?? row);
  view = roundView();
  const fault = await outbox.add(row.id, count, act, value);
  spoken.textContent = fault?.code === "stale" ? say("stale") : done;
  if (fault?.message) show({ kind: "fault", draft: {}, fault });
}

/**
 * @param {WrittenAct} act
 * @param {Written["value"]} value
 */
function doneWords(act, value) {
  if (act !== "close") return say(`did_${act}`);
  const table = tableOf();
  const result = preview(table.sheet, value);
  return result.fault ? "" : outcome(table, result).join(". ");
}

/** @param {Row} row */
const lengthOf = ({ entries, waiting }) => entries.length + waiting.length;

/** @param {Row} row */
const playedOf = ({ entries, waiting }) => entries.filter(isPlayed).length + waiting.length;

/** @param {View} next */
function show(next) {
  view = next;
  draw();
}

/** Return whether somebody has begun to answer: then the screen stays, whatever others write. */
function isFilledIn() {
  if (view.kind !== "round") return ASKING.includes(view.kind);
  return Boolean(view.number) || isAnswered(view.draft);
}

/** @param {Draft} draft */
function isAnswered({ losses = [], doubters, opener, ...answers }) {
  return losses.some(Boolean) || Object.keys(answers).length > 0;
}

/** @param {View["kind"]} kind */
const to = (kind) => () => show({ kind, draft: {} });
const home = to("round");

/**
 * Draw the page. The focus goes to what comes first, or stays on the control that it was on.
 * @param {string} [again] the control
 */
function draw(again) {
  const screen = screenOf();
  const title = el("h1", { tabindex: "-1" }, screen.title);
  const { back: goBack } = screen;
  const backLabel = [shape("i-prev", "size-5"), say("back")];
  const back = goBack && button(backLabel, goBack, "btn btn-outline");
  const hint = screen.hint && el("p", { class: "score-hint" }, screen.hint);
  main.replaceChildren(
    keeping === "kept_open" ? el("p", { class: "score-kept" }, say(keeping)) : "",
    outbox.state === "refused" && !problem ? keyEndedNode() : "",
    row?.told && !problem ? toldNode(row.told) : "",
    el("div", { id: "score-said", role: "status" }, row && !problem && saidNode()),
    el("div", { class: "score-head" }, screen.lead, title, hint),
    el("div", { class: "score-body" }, screen.body),
    el(
      "div",
      { class: "score-foot" },
      screen.foot,
      el("div", { class: "score-row" }, back, screen.below),
    ),
  );
  more.hidden = !row || Boolean(problem) || view.kind === "more";
  showState();
  moveFocus(title, again);
}

/**
 * @param {HTMLElement} title
 * @param {string} [again]
 */
function moveFocus(title, again) {
  for (const cells of main.querySelectorAll("[data-columns]")) {
    const likely = cells.querySelector("[data-first]:enabled");
    (likely ?? cells.querySelector("button:enabled"))?.setAttribute("tabindex", "0");
  }
  const same = main.querySelector(`[data-again="${again}"]:enabled`);
  const first = same ?? main.querySelector("[data-first]:enabled") ?? title;
  first.focus({ preventScroll: true });
  if (first !== title) first.scrollIntoView({ block: "center" });
}

function keyEndedNode() {
  const link = el("a", { href: KEY }, say("get_key"));
  return el("p", { class: "note note-error" }, el("span", {}, say("key_ended"), " ", link));
}

/**
 * Show what another phone changed of the rounds that this one knew.
 * @param {NonNullable<Row["told"]>} changes
 */
function toldNode(changes) {
  const lines = changes.map(({ number, reason = "", before: old, round: now }) => {
    const line = say(row.kind === "bluff" ? "round" : "turn", { number });
    if (!now) return el("li", {}, say("line_undone", { line }));
    const words = say("line_amended", { line, why: say(reason) });
    return el("li", {}, words, " ", roundNode(peopleOf(), now, old));
  });
  const acknowledge = () =>
    outbox.change(row.id, (now) => {
      delete now.told;
    });
  const properties = { class: "note note-warning score-told", role: "status" };
  return el("div", properties, el("ul", {}, lines), button(say("ok"), acknowledge, "btn"));
}

// What was said beside the play: the call for the arbiter that waits, or the ruling on the last one
// until somebody has seen it.
const lastSaid = () => row.entries.findLast((entry) => !isPlayed(entry));
const isCalling = () => lastSaid()?.act === "call";

function saidNode() {
  const last = lastSaid();
  if (row.sealed || !last) return "";
  if (last.act === "call") return callNode(last.key);
  if (last.act === "ruling" && row.ruled !== last.key) return rulingNode(last.key, last.value);
  return "";
}

/** @param {string} key of the call */
function callNode(key) {
  const takeBack = () => callArbiter("call/end");
  const back = key === row.called && button(say("call_back"), takeBack, "btn");
  const text = el("p", {}, el("b", {}, say("called")), " ", say("play_meanwhile"));
  return el("div", { class: "note note-warning score-told" }, text, back);
}

/**
 * @param {string} key of the ruling
 * @param {{ case: string, decision: string }} value
 */
function rulingNode(key, value) {
  const { title, ruling: number, decisions } = facts.cases[row.kind][value.case];
  const [label, then] = decisions[value.decision];
  const acknowledge = () =>
    outbox.change(row.id, (now) => {
      now.ruled = key;
    });
  const cited = number && [" (", ruling(number), ")"];
  const decision = el("b", {}, label);
  const text = el("p", {}, el("b", {}, say("ruled")), " ", title, cited, " – ", decision, ".");
  return el(
    "div",
    { class: "note note-info score-told" },
    el("div", {}, text, el("p", {}, then)),
    button(say("ok"), acknowledge, "btn"),
  );
}

/** @param {"call" | "call/end"} path */
async function callArbiter(path) {
  /** @type {Problem | null} */
  const fault = await outbox.call(row.id, path).catch(() => ({ code: "offline" }));
  if (!fault) return home();
  const isOffline = fault.code === "offline";
  return show({
    kind: "uncalled",
    draft: {},
    words: isOffline ? say("call_offline") : inWords(fault.detail),
  });
}

function callButton() {
  const mayCall = !row.sealed && !row.ahead && !isCalling();
  return mayCall && wide(say("call_arbiter"), () => callArbiter("call"));
}

function showState() {
  const waiting = row?.waiting.length ?? 0;
  const parts = [];
  if (waiting) parts.push(many("unsent", waiting));
  if (outbox.state !== "sent") parts.push(say(`state_${outbox.state}`));
  badge.classList.toggle("unsent", parts.length > 0);
  badge.textContent = parts.join(" · ") || say("all_sent");
}

/** @returns {Screen} */
function screenOf() {
  if (problem) return problemScreen(problem);
  if (row.trouble && view.kind !== "reason") return troubleScreen(row.trouble);
  const table = tableOf();
  if (view.kind !== "round") return SCREENS[view.kind](table);
  if (row.sealed) return sealedScreen(table);
  return table.sheet.over && !view.number ? endScreen(table) : roundScreen(table);
}

/**
 * @param {TableView} table
 * @returns {Screen}
 */
function roundScreen(table) {
  const { sheet, rounds } = table;
  const isAmended = Boolean(view.number);
  const number = view.number ?? sheet.closed + 1;
  const screen = round(table);
  const isFresh = !isAnswered(view.draft);
  const last = rounds.at(-1);
  const lastNode = last && [`${sheet.closed}: `, roundNode(table, last)];
  const amending = isAmended && ` · ${say("amending")}`;
  const now = [say(isBluff(table) ? "round" : "turn", { number }), amending];
  const isAgain = !isAmended && sheet.fixed === sheet.closed;
  const again = isAgain && el("p", { class: "score-hint" }, say("played_again"));
  const voidIt = () => table.close({ void: true });
  const wasVoid = isFresh && isAmended && button(say("was_void"), voidIt, "btn btn-outline");
  const choosesDepth = isFresh && isBluff(table) && !sheet.notes.length;
  return {
    ...screen,
    back: screen.back ?? (isFresh && isAmended ? to("rounds") : undefined),
    lead: [screen.lead, el("p", { class: "score-number" }, now), again],
    hint: screen.hint ?? (isFresh && !isAmended && lastNode),
    foot: [choosesDepth && depthChoice(), screen.foot, wasVoid],
    below: isFresh && !isAmended && undoButton(table),
  };
}

function depthChoice() {
  const choose = (/** @type {Depth} */ one) => {
    depth = one;
    try {
      localStorage.setItem("score-depth", one);
    } catch {
      // a private window forgets it
    }
    view.draft = {};
    draw(`depth-${one}`);
  };
  const buttons = DEPTHS.map((one) =>
    button(say(`depth_${one}`), () => choose(one), "btn", {
      "aria-pressed": String(depth === one),
      "data-again": `depth-${one}`,
    }),
  );
  const properties = { class: "score-depths", role: "group", "aria-label": say("depth") };
  return el("div", properties, buttons);
}

/**
 * Return what an undo would take back, in words; nothing if there is nothing.
 * @param {TableView} table
 */
function undoWords(table) {
  const { sheet } = table;
  if (sheet.notes.length) return say("undo_note");
  if (!sheet.last_round) return "";
  return say(isBluff(table) ? "undo_round" : "undo_turn", { number: sheet.closed });
}

/** @param {TableView} table */
function undoButton(table) {
  const label = undoWords(table);
  return label && button(label, () => enter("undo", {}), "btn btn-outline");
}

// What is rarely needed, each behind a question.

/**
 * @param {Child} label
 * @param {(() => unknown) | null} go
 * @param {Record<string, unknown>} extra
 */
function wide(label, go, extra = {}) {
  return button(label, go, WIDE, extra);
}

/** @param {Child[]} lines */
function list(lines) {
  const items = lines.filter(Boolean).map((line) => el("li", {}, line));
  return el("ul", { class: "score-list" }, items);
}

/**
 * Ask whether a round is to be closed so, and show what comes of it.
 * @param {TableView} table
 * @param {string} title
 * @param {EnteredRound} value
 * @param {string} number of the ruling
 * @returns {Screen}
 */
function sureScreen(table, title, value, number) {
  const seen = preview(table.sheet, value);
  const foot = !seen.fault && primary(say("yes"), () => enter("close", value));
  const hint = [say("ruling"), " ", ruling(number)];
  return { title, hint, body: previewNode(table, seen), foot, back: to("more") };
}

/**
 * @param {TableView} table
 * @param {number} seat
 * @returns {Screen}
 */
function sureOpenerScreen(table, seat) {
  const title = say("opens_game", { name: table.names[seat] });
  const hint = [say("ruling"), " ", ruling(isBluff(table) ? "B15" : "K14")];
  const foot = primary(say("yes"), () => enter("opener", { seat }));
  return { title, hint, foot, back: to("more") };
}

/**
 * @param {TableView} table
 * @param {number} seat
 * @returns {Screen}
 */
function sureLeaveScreen(table, seat) {
  const { notes } = table.sheet;
  const title = say("leaves", { name: table.names[seat] });
  /** @type {EnteredRound} */
  const value = { forfeit: [seat] };
  if (notes.length && isBluff(table)) {
    value.void = true;
    value.moves = notes.map(({ bid }) => bid ?? "");
  }
  return sureScreen(table, title, value, isBluff(table) ? "B17" : "K15");
}

/**
 * Ask for a seat first.
 * @param {TableView} table
 * @param {string} title
 * @param {(table: TableView, seat: number) => Screen} then
 * @returns {Screen}
 */
function seatScreen(table, title, then) {
  if (view.seat !== undefined) return then(table, view.seat);
  const pick = (/** @type {number} */ seat) => show({ ...view, seat });
  return { title, body: seats(table, title, pick), back: to("more") };
}

/**
 * Return what begins to amend a round.
 * @param {TableView} table
 * @param {number} place counted from 0
 */
function amend(table, place) {
  return () => {
    const { begun } = view;
    show({ ...roundView(), number: place + 1, before: before(table.rounds, place), begun });
  };
}

/**
 * The screens that are rarely needed, by kind.
 * @type {Record<Exclude<View["kind"], "round">, (table: TableView) => Screen>}
 */
const SCREENS = {
  more(table) {
    const { sheet } = table;
    const isOn = !sheet.over && !row.sealed;
    const isBegun = sheet.closed > 0 || sheet.notes.length > 0 || sheet.fixed !== null;
    const hasRounds = sheet.closed > (sheet.fixed ?? 0) && !row.sealed && !isHeld();
    const link = (/** @type {string} */ href, /** @type {string} */ label, target = "") =>
      el("a", { class: WIDE, href, target: target || null }, label);
    const lines = list([
      callButton(),
      hasRounds && wide(say("rounds_so_far"), to("rounds")),
      isOn && !isBegun && wide(say("who_opens"), to("opener")),
      isOn && wide(say("somebody_leaves"), to("leave")),
      isOn && wide(say("void_round"), to("void")),
      isOn && wide(say("time_up"), to("time")),
      row.waiting.length > 0 && !row.ahead && codeButton(WIDE),
      wide(say("light_or_dark"), null, { "data-theme-toggle": true }),
      link(facts.docs, say("rules"), "_blank"),
      facts.page && link(facts.page, facts.name),
    ]);
    const body = [lines, el("p", { class: "small" }, say(keeping))];
    return { title: say("more"), back: home, body };
  },

  code() {
    const { count = "", next } = view;
    return {
      title: say("show_code") + count,
      hint: say("code_hint"),
      body: codeNode(view),
      back: home,
      foot: next && primary(say("next_code"), next),
    };
  },

  uncalled: () => ({ title: say("call_arbiter"), hint: view.words, back: home }),

  fault(table) {
    const fault = /** @type {Fault} */ (view.fault);
    return { title: say("not_taken"), body: faultNode(table, fault), back: home };
  },

  opener: (table) => seatScreen(table, say("who_opens"), sureOpenerScreen),

  leave: (table) => seatScreen(table, say("who_leaves"), sureLeaveScreen),

  void(table) {
    return sureScreen(table, say("void_round"), { void: true }, isBluff(table) ? "B18" : "K17");
  },

  time(table) {
    const uneven = unevenTurns(table);
    if (uneven) return unevenScreen(table, uneven);
    return sureScreen(table, say("time_up"), { ended: "clock" }, isBluff(table) ? "B20" : "K17");
  },

  rounds(table) {
    const fixed = table.sheet.fixed ?? 0;
    const lines = table.rounds.slice(fixed).map((value, index) => {
      const place = fixed + index;
      const label = [el("b", {}, place + 1), el("span", {}, roundNode(table, value))];
      return el("li", {}, button(label, amend(table, place), "score-seat"));
    });
    const body = el("ol", { class: "score-seats" }, lines.reverse());
    return { title: say("rounds_so_far"), hint: say("tap_to_amend"), body, back: to("more") };
  },

  reason() {
    const { number = 0, value = {}, settles } = view;
    const go = (/** @type {string} */ reason) => {
      if (!settles) return enter("amend", { number, reason, round: value });
      view = roundView();
      return outbox.settle(row.id, "amend", reason);
    };
    const lines = REASONS.map((reason) => wide(say(reason), () => go(reason)));
    return { title: say("why"), back: home, body: list(lines) };
  },
};

/**
 * Turns of Lügen-Kniffel beyond the last whole round, the last first, and the seats that lack one.
 * @typedef {{ number: number, reason: string, round: EnteredRound }} Amendment
 * @typedef {{ lacking: number[], extra: { seat: number, entry: Amendment }[] }} Uneven
 */

/**
 * Return the uneven turns; null where all seats have had as many, in a last lap, which is played
 * out, and in Bluff.
 * @param {TableView} table
 * @returns {Uneven | null}
 */
function unevenTurns({ sheet, rounds }) {
  if (sheet.game.owned) return null;
  const { turns, playing, last_lap: lastLap } = sheet.game;
  const least = Math.min(...playing.map((seat) => turns[seat]));
  const lacking = playing.filter((seat) => turns[seat] === least);
  if (lastLap || lacking.length === playing.length) return null;
  const past = before(rounds, 0).sheet;
  /** @type {Uneven["extra"]} */
  const extra = [];
  rounds.forEach((value, place) => {
    const seat = past.game.roller ?? -1;
    past.apply({ act: "close", value });
    const { turns: had } = /** @type {KniffelGame} */ (past.game);
    const isPlayedOut = playing.includes(seat) && value.say && !value.void;
    if (!isPlayedOut || had[seat] <= least) return;
    const entry = { number: place + 1, reason: "time_up", round: { void: true } };
    extra.unshift({ seat, entry });
  });
  return { lacking, extra };
}

/**
 * Time is up within a round of turns (K17): either the missing turns are played, or those beyond
 * the last whole round are void.
 * @param {TableView} table
 * @param {Uneven} uneven
 * @returns {Screen}
 */
function unevenScreen(table, { lacking, extra }) {
  const namesOf = (/** @type {number[]} */ all) => all.map((seat) => table.names[seat]).join(", ");
  const { sheet } = before(table.rounds, table.rounds.length);
  const isVoided = extra.every(({ entry }) => !sheet.apply({ act: "amend", value: entry }));
  const isFit = isVoided && !preview(sheet, { ended: "clock" }).fault;
  const first = extra.map(({ seat }) => seat).reverse();
  const voids = el("p", {}, say("whole_round_means", { names: namesOf(first) }));
  const end = primary(say("end_whole_round"), () => endWholeRound(extra));
  const roller = table.names[table.sheet.game.roller ?? -1];
  return {
    title: say("time_up"),
    hint: [
      say("turns_lacking", { names: namesOf(lacking) }),
      " ",
      say("ruling"),
      " ",
      ruling("K17"),
    ],
    body: list([wide(say("play_on", { name: roller }), home)]),
    foot: isFit && [voids, end],
    back: to("more"),
  };
}

/** @param {Uneven["extra"]} extra */
async function endWholeRound(extra) {
  view = roundView();
  for (const { entry } of extra) {
    const fault = await outbox.add(row.id, lengthOf(row), "amend", entry);
    if (fault?.message) return show({ kind: "fault", draft: {}, fault });
    if (fault) return draw();
  }
  return enter("close", { ended: "clock" });
}

/**
 * Show places and points.
 * @param {TableView} table
 */
function placesNode(table) {
  const { rank, points } = table.sheet.ending();
  const { scoring } = table.settings;
  if (!rank || !points) return null;
  const order = [...rank.keys()].sort((one, other) => rank[one] - rank[other]);
  const unit = scoring ? "dice" : "points"; // in Bluff they are no points of an event or a season
  const lines = order.map((seat) => {
    const number = el("span", { class: "n" }, many(unit, points[seat]));
    return el(
      "li",
      {},
      el("b", {}, rank[seat]),
      who(table, seat),
      scoring !== "placement" && number,
    );
  });
  return el("ol", { class: "finishes big" }, lines);
}

/**
 * Make the button that shows what waits as a code, which another phone reads and sends on.
 * @param {string} look
 */
function codeButton(look) {
  return button(say("show_code"), () => showCode(0), look);
}

const drawing = () => import("./qr/index.js");

/** @param {number} place of the code among several */
async function showCode(place) {
  try {
    const codes = await outbox.codes(row.id);
    const { encodeQR } = await drawing();
    const encode = /** @type {typeof EncodeQR} */ (encodeQR);
    const dots = encode(codes[place], "raw", { ecc: "low", border: 4 });
    const isLast = place + 1 >= codes.length;
    const next = isLast ? undefined : () => showCode(place + 1);
    const count = codes.length > 1 ? ` ${place + 1}/${codes.length}` : "";
    show({ kind: "code", draft: {}, next, count, text: codes[place], dots });
  } catch {
    show({ kind: "code", draft: {} }); // what draws or signs it isn't loaded
  }
}

/**
 * @param {View} view
 * @returns {Child}
 */
function codeNode({ text, dots }) {
  if (!dots) return el("p", { class: "note note-warning" }, say("no_code"));
  const size = { width: dots.length, height: dots.length };
  const properties = { class: "score-code", role: "img", "aria-label": say("code_label") };
  const canvas = el("canvas", { ...properties, ...size });
  paint(canvas, dots);
  const written = el("p", { class: "small score-code-text" }, text);
  return [canvas, el("details", {}, el("summary", {}, say("code_text")), written)];
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {boolean[][]} dots
 */
function paint(canvas, dots) {
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  pen.fillStyle = "#fff";
  pen.fillRect(0, 0, dots.length, dots.length);
  pen.fillStyle = "#000";
  dots.forEach((line, y) => {
    line.forEach((isDark, x) => {
      if (isDark) pen.fillRect(x, y, 1, 1);
    });
  });
}

/**
 * Return whether this sheet, one of two, is handed in and stays as it is until the other one is.
 */
const isHeld = () => row.handed && !row.compared;

/**
 * Return whose word is missing, if it isn't this phone's: an arbiter's, or that of anybody but the
 * one who wrote last.
 */
function missingWord() {
  const { confirmation, entries, waiting, waits } = row;
  if (isHeld()) return say("waits_double");
  if (confirmation === "arbiter") return say("waits_arbiter");
  const isOwn = waiting.length > 0 || entries.findLast(isPlayed)?.own;
  const needsOther = confirmation === "seat" && isOwn;
  return needsOther || waits === entries.length ? say("waits_seat") : null;
}

/**
 * Show the rounds in which two sheets differ that were written unseen, side by side; a tap amends
 * this one.
 * @param {TableView} table
 * @param {Compared[]} compared
 */
function comparedNode(table, compared) {
  const side = (
    /** @type {string} */ phone,
    /** @type {EnteredRound | null} */ value,
    /** @type {EnteredRound | null} */ rival,
  ) => {
    const content = value ? roundNode(table, value, rival ?? undefined) : say("no_such_round");
    return el("span", {}, el("small", {}, phone), " ", content);
  };
  const lines = compared.map(({ number, this_sheet: ours, other_sheet: theirs }) => {
    const label = [
      el("b", {}, number),
      side(say("this_phone"), ours, theirs),
      side(say("other_phone"), theirs, ours),
    ];
    return el("li", {}, button(label, ours && amend(table, number - 1), "score-seat"));
  });
  return el(
    "section",
    { class: "score-compared mb-4" },
    el("h2", {}, say("sheets_differ")),
    el("ol", { class: "score-seats" }, lines),
    el("p", { class: "small" }, say("arbiter_chooses")),
    callButton(),
  );
}

/** Return what the last button of a game says, by whose word confirms it. */
function sealWord() {
  if (row.confirmation === "seat") return say("confirm");
  return say(row.confirmation === "double" ? "hand_in" : "seal");
}

/** Return what the last button of a game means. */
function sealHint() {
  if (row.sealing) return say("seals_later");
  return say(row.confirmation === "double" ? "hand_in_means" : "seal_means");
}

/** Return whether the game was written in less time than anybody plays one. */
function isShort() {
  const entries = [...row.entries.filter(isPlayed), ...row.waiting];
  const times = entries.map(({ at }) => Date.parse(at));
  return times[times.length - 1] - times[0] < SHORT;
}

/**
 * @param {TableView} table
 * @returns {Screen}
 */
function endScreen(table) {
  const missing = missingWord();
  const { compared, sealing } = row;
  const isUnsent = row.waiting.length > 0 && !row.ahead;
  const goesOn = (missing || sealing) && outbox.state === "offline" && canGoOn(row);
  const maySeal = !missing && !sealing;
  return {
    title: say("game_over"),
    hint: missing ?? sealHint(),
    body: [
      compared && compared.length > 0 && comparedNode(table, compared),
      placesNode(table),
      isShort() && el("p", { class: "note note-warning" }, say("short_game")),
    ],
    foot: [
      maySeal && primary(sealWord(), () => outbox.seal(row.id)),
      goesOn && wide(say("next_game"), goOn),
    ],
    below: [
      !isHeld() && undoButton(table),
      isUnsent && outbox.state !== "sent" && codeButton("btn btn-outline"),
    ],
  };
}

/**
 * Show who won, in large letters under lifted cups.
 * @param {TableView} table
 */
function winnersNode(table) {
  const { rank } = table.sheet.ending();
  const winners = table.names.filter((_, seat) => rank?.[seat] === 1).join(", ");
  const cup = () => shape("cup-up", "cup");
  return el(
    "p",
    { class: "score-winner" },
    cup(),
    el("b", {}, say("won", { name: winners })),
    cup(),
  );
}

/**
 * Show what the game changed in each ranking in which it counts, and where its players play next.
 * @param {TableView} table
 * @param {Gains} gains
 * @returns {Child}
 */
function gainsNodes(table, { rankings = [], following = [] }) {
  const gainLine = (/** @type {SeatGain} */ gain) => {
    const points = say("gained", { points: signed(gain.points), total: gain.total });
    return el("li", {}, who(table, gain.seat), rankNode(gain), el("span", { class: "n" }, points));
  };
  const sections = rankings.map(({ name, seats: gains }) => {
    const title = el(
      "h2",
      {},
      name ?? say("all_time"),
      " ",
      el("small", {}, say("ranking_points")),
    );
    return el("section", { class: "score-gains" }, title, el("ul", {}, gains.map(gainLine)));
  });
  const ways = following.map(({ player, place, table: address }) =>
    el("li", {}, el("span", {}, player), wayNode(place, address)),
  );
  const title = el("h2", {}, say("plays_next"));
  const next = el("section", { class: "score-gains" }, title, el("ul", {}, ways));
  return [sections, ways.length > 0 && next];
}

/**
 * @param {string} place
 * @param {string} address of the table in the API
 */
function wayNode(place, address) {
  if (!facts.page) return el("b", {}, place);
  return el("a", { href: `${facts.tables}${idOf(address)}/` }, place);
}

/** @param {SeatGain} gain */
function rankNode({ rank, rank_before: old }) {
  if (old === null || old === rank) return el("span", { class: "n" }, say("rank_is", { rank }));
  const arrow = el("span", { "aria-hidden": "true" }, old > rank ? "▲ " : "▼ ");
  return el("span", { class: "n" }, arrow, say("rank_was", { rank, before: old }));
}

/**
 * @param {TableView} table
 * @returns {Screen}
 */
function sealedScreen(table) {
  const { page, again } = facts;
  const game = { class: "btn btn-primary btn-huge", href: `${facts.games}${row.sealed}/` };
  return {
    lead: winnersNode(table),
    title: say("sealed"),
    hint: view.hint ?? say("sealed_means"),
    body: [placesNode(table), gainsNodes(table, row.gains ?? {})],
    foot: [
      page && el("a", game, say("to_game")),
      facts.table && !view.hint && wide(say("next_game"), goOn),
      again && el("a", { class: WIDE, href: again }, say("game_again")),
    ],
  };
}

// Two phones wrote different things, or the service refuses an entry: somebody at the table
// chooses.

/** @param {string} [detail] of a problem */
const inWords = (detail = "") => words.faults[detail] ?? detail;

/**
 * Show an entry; what it tells otherwise than a `rival` is marked.
 * @param {TableView} table
 * @param {Entry | Waiting} entry
 * @param {EnteredRound} [rival]
 * @returns {Child}
 */
function entryNode(table, entry, rival) {
  switch (entry.act) {
    case "amend": {
      const { number, reason, round: now } = entry.value;
      return [roundTitle(number), " ", roundNode(table, now, rival), ` (${say(reason)})`];
    }
    case "note": {
      const { seat = -1, bid, say: said } = entry.value;
      return `${table.names[seat]}: ${bid ? bidWords(bid) : said}`;
    }
    case "close":
      if (!("seen" in entry)) return roundNode(table, entry.value, rival);
      return waitingNode(table, entry.value, entry.seen, rival);
    default:
      return say(`did_${entry.act}`);
  }
}

/** @param {number} number */
const roundTitle = (number) => el("b", {}, say("round", { number }));

/**
 * Show a round that waits, and what would come of it where it was played.
 * @param {TableView} table
 * @param {EnteredRound} value
 * @param {number} seen how many rounds were closed before it
 * @param {EnteredRound} [rival]
 * @returns {Child}
 */
function waitingNode(table, value, seen, rival) {
  const there = { ...table, ...before(table.rounds, seen, row.entries) };
  const result = preview(there.sheet, value);
  const rivalResult = rival && preview(there.sheet, rival);
  const effect = result.fault
    ? faultNode(there, result.fault)
    : outcomeNode(there, result, rivalResult);
  return [roundTitle(seen + 1), " ", roundNode(table, value, rival), effect];
}

/** @returns {TableView} */
function writtenTable() {
  const table = { ...fold(row, rules, row.entries), ...peopleOf() };
  const nothing = () => {};
  return { ...table, depth, draft: {}, redraw: draw, note: nothing, close: nothing };
}

/**
 * Return the phones that wrote entries, in the order in which they first wrote: so they are
 * numbered on the sheet’s page, too.
 */
function phones() {
  const all = row.entries.map((entry) => (entry.own ? "own" : entry.by?.device));
  return [...new Set(all)].filter(Boolean);
}

function thisPhone() {
  const number = phones().indexOf("own") + 1;
  if (!number) return say("this_phone");
  return `${say("this_phone")} (${say("phone", { number })})`;
}

/**
 * Return who wrote an entry of others.
 * @param {Entry | undefined} entry
 */
function writerOf(entry) {
  const { account, device } = entry?.by ?? {};
  if (account) return say("signed_in");
  const number = phones().indexOf(device) + 1;
  return number ? say("phone", { number }) : say("other_phone");
}

/**
 * @param {Trouble} trouble
 * @returns {Screen}
 */
function troubleScreen({ code, place = 0, from, detail }) {
  const table = writtenTable();
  const mine = row.waiting[place];
  if (code !== "overtaken") return refusedScreen(table, mine, code, detail);
  const closed = mine?.act === "close" ? mine : undefined;
  const rival = closed && table.rounds[closed.seen];
  /** @type {(Entry | Waiting)[]} */
  const theirs =
    closed && rival ? [{ ...closed, value: rival }] : row.entries.slice(from).filter(isPlayed);
  const writer = writerOf(row.entries.findLast((entry) => !entry.own && isPlayed(entry)));
  const own = rival && closed?.value;
  const keepTheirs = primary(say("keep_theirs"), () => outbox.settle(row.id, "drop"));
  return {
    title: say("two_phones"),
    hint: say("nothing_lost"),
    body: [
      card(table, `${say("theirs")}: ${writer}`, theirs, own),
      mine && card(table, `${say("ours")}: ${thisPhone()}`, [mine], rival),
    ],
    foot: rival ? agreement({ theirs: writer, ours: thisPhone() }) : keepTheirs,
  };
}

/**
 * Show theirs and ours, as large as each other, to choose from; then the word of the table.
 * @param {Record<string, string>} writers
 * @returns {Child}
 */
function agreement(writers) {
  const { choice } = view;
  const choices = Object.entries(writers).map(([name, writer]) => {
    const label = [el("b", {}, say(name)), el("small", {}, writer)];
    const pressed = { "aria-pressed": String(choice === name), "data-again": name };
    const choose = () => show({ ...view, choice: name });
    return button(label, choose, "btn btn-lg btn-outline", pressed);
  });
  const agree = () => {
    if (choice === "ours") return show({ kind: "reason", draft: {}, settles: true });
    view = roundView();
    return outbox.settle(row.id, "drop");
  };
  const properties = { class: "score-choices", role: "group", "aria-label": say("two_phones") };
  const first = { disabled: !choice, "data-first": choice ? true : null };
  return [el("div", properties, choices), primary(say("we_agree"), agree, first)];
}

/**
 * @param {TableView} table
 * @param {string} title
 * @param {(Entry | Waiting)[]} entries
 * @param {EnteredRound} [rival]
 */
function card(table, title, entries, rival) {
  const lines = entries.map((entry) => el("li", {}, entryNode(table, entry, rival)));
  return el("section", { class: "card score-choice" }, el("h2", {}, title), el("ul", {}, lines));
}

/**
 * The service refuses an entry, or a game that was begun on this phone alone.
 * @param {TableView} table
 * @param {Waiting | undefined} mine
 * @param {string} code
 * @param {string} [detail]
 * @returns {Screen}
 */
function refusedScreen(table, mine, code, detail) {
  const { ahead } = row;
  const isAll = code === "sealed" || ahead;
  const drop = () => {
    if (ahead) return outbox.forget(row.id).then(openNext);
    return outbox.settle(row.id, "drop");
  };
  return {
    title: say("not_taken"),
    hint: code === "begun_elsewhere" ? say(code) : inWords(detail),
    body: mine && card(table, thisPhone(), ahead ? row.waiting : [mine]),
    foot: [
      primary(say("again"), () => outbox.settle(row.id, "again")),
      (mine || ahead) && wide(say(isAll ? "drop_all" : "drop_mine"), drop),
    ],
  };
}

/**
 * @param {string} words
 * @returns {Screen}
 */
function problemScreen(words) {
  const { page, name } = facts;
  return {
    title: say("cannot_write"),
    body: el("p", { class: "note note-warning" }, words),
    foot: [
      el("a", { class: "btn btn-primary btn-huge", href: KEY }, say("get_key")),
      wide(say("again"), openNext),
      page && el("a", { class: "btn btn-ghost score-wide", href: page }, name),
    ],
  };
}

/**
 * Return the game of this table that was begun or opened last; before it one in which somebody has
 * to choose.
 * @returns {Promise<Row>} nothing if there is none
 */
async function newest() {
  const games = (await outbox.rows()).filter(({ table }) => table === PLACE);
  games.sort((one, other) => (one.opened < other.opened ? 1 : -1));
  const begun = games.filter(({ ahead }) => ahead);
  begun.sort((one, other) => (other.number ?? 0) - (one.number ?? 0));
  return games.find(isUndecided) ?? begun[0] ?? games[0];
}

/** @param {Row} row */
function isUndecided({ trouble, compared, sealed }) {
  const differs = compared !== null && compared !== undefined && compared.length > 0;
  return Boolean(trouble) || (!sealed && differs);
}

// Go to the next game of the table; without network it begins on this phone alone.
async function goOn() {
  const last = row;
  await openNext();
  if (outbox.state !== "offline" || row.id !== last.id || !canGoOn(last)) return;
  outbox.shown = await outbox.begin(last);
  row = await newest();
  show(roundView());
}

/** @param {Row} row */
const canGoOn = ({ number, games }) => Boolean(number) && Number(number) < games;

/**
 * Open the game that is played now. Return why that isn't possible, or nothing.
 * @returns {Promise<{ state: Outbox["state"], words: string | null }>}
 */
async function tryOpen() {
  try {
    const refused = await outbox.open(facts);
    if (!refused) return { state: "sent", words: null };
    const { status = 0, detail } = refused;
    if (status === 401 || status === 403) return { state: "refused", words: say("key_ended") };
    return { state: "sent", words: inWords(detail) };
  } catch {
    return { state: "offline", words: say("not_here_yet") };
  }
}

async function openNext() {
  const { state, words: why } = await tryOpen();
  outbox.state = state;
  row = await newest();
  problem = row ? null : why;
  outbox.shown = row?.id;
  show({ ...roundView(), hint: row?.sealed ? why : undefined });
  outbox.wake();
}

/**
 * A row that this window shows has changed, or, without one, the state of the outbox.
 * @param {Row | null | undefined} next
 */
async function changed(next) {
  if (next && next.id !== outbox.shown) return attend();
  const old = row;
  const isKnown = Boolean(next && old);
  const isWritten = next && isKnown && playedOf(next) !== playedOf(old);
  const isSaid = next && isKnown && lengthOf(next) !== lengthOf(old);
  const isOther = next && isKnown && !SHOWN.every((name) => alike(next[name], old[name]));
  // Something else is asked now.
  const isMoot = next && isKnown && Boolean(next.trouble) !== Boolean(old.trouble);
  if (isWritten && isFilledIn()) view.begun ??= old;
  row = next ?? row;
  if (!next && outbox.state === "sent") keepPage();
  if (next?.agreed) await announceAgreed(next);
  const isSent = view.kind === "code" && !row.waiting.length;
  if (isSent || isMoot) view = roundView();
  const isNew = (isWritten && !view.begun) || isSent || isMoot || isOther;
  if (isNew || (!next && needsDrawing())) draw();
  else if (!problem) showState();
  if (isSaid && !problem) document.getElementById("score-said")?.replaceChildren(saidNode());
  return attend();
}

/** Return whether the state of the outbox is shown in the screen, too. */
function needsDrawing() {
  if (outbox.state === "refused") return true;
  // Once the game is over, what waits is offered as a code, or no longer.
  return Boolean(row) && !problem && view.kind === "round" && tableOf().sheet.over;
}

/** @param {Row} next */
async function announceAgreed(next) {
  spoken.textContent = say("agreed");
  await outbox.change(next.id, (now) => {
    delete now.agreed;
  });
}

// A game before this one in which somebody has to choose comes first, once nothing is filled in.
async function attend() {
  if (!row || isFilledIn()) return;
  const first = await newest();
  if (!first || !isUndecided(first) || first.id === row.id) return;
  row = first;
  outbox.shown = first.id;
  show(roundView());
}

// The arrow keys of a grid.
addEventListener("keydown", (event) => {
  const { target, key } = event;
  const cells = target instanceof Element ? target.closest("[data-columns]") : null;
  if (!cells || !(target instanceof Element)) return;
  const columns = Number(cells.dataset.columns);
  /** @type {Record<string, number>} */
  const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns };
  const step = steps[key];
  if (!step) return;
  event.preventDefault();
  const all = /** @type {HTMLElement[]} */ ([...cells.children]);
  let place = all.indexOf(/** @type {HTMLElement} */ (target)) + step;
  while (all[place] && !all[place].matches("button:enabled")) place += step;
  all[place]?.focus();
});
more.addEventListener("click", to("more"));

/** Return how much of a round this phone enters. */
function storedDepth() {
  try {
    const stored = localStorage.getItem("score-depth");
    return DEPTHS.find((one) => one === stored) ?? "last";
  } catch {
    return "last"; // a private window keeps nothing
  }
}

async function begin() {
  depth = storedDepth();
  const answer = await fetch(facts.rules);
  rules = await answer.json();
  outbox = new Outbox({ api: facts.api, language: facts.language, rules, changed });
  const key = location.hash.slice(1);
  try {
    if (key) await outbox.keepKey(PLACE, key);
    if (key) history.replaceState(null, "", location.pathname);
    await openNext();
  } catch {
    problem = say("kept_nowhere");
    draw();
  }
  // Codes are shown when there is no network any more.
  Promise.all([drawing(), signing()]).catch(() => {});
  keep();
}

// Let this page open without network, or say that it won't.
async function keep() {
  if (keeping === "kept_open") return;
  try {
    navigator.serviceWorker.addEventListener("message", ({ data }) => {
      if (data.kept) keeping = "kept";
      if (view.kind === "more") draw();
    });
    await navigator.serviceWorker.register(facts.worker, { scope: facts.scope });
    keepPage();
  } catch {
    keeping = "kept_open";
    draw();
  }
}

// Ask the worker to keep this page, again whenever the network is back, until it does.
async function keepPage() {
  if (keeping !== "not_kept_yet") return;
  const { active } = await navigator.serviceWorker.ready;
  active?.postMessage({ keep: location.pathname });
}

begin();
