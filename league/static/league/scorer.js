// The scorer of a table, or of one game without a table: a page that needs no network once it was opened. It shows where the table stands, asks for the
// round (round.js), and hands what is entered to the outbox (outbox.js), which keeps and sends it.

import { Outbox, alike, fold, idOf, isPlayed, signing } from "./outbox.js";
import {
  bidWords,
  button,
  el,
  facts,
  faultNode,
  many,
  outcome,
  outcomeNode,
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

const KEY = facts.key; // where a phone gets a key
const PLACE = facts.table ?? facts.open_game; // what its key is for
const DEPTHS = ["losses", "last", "bids", "dice"];
const SHORT = 120_000; // ms in which nobody plays a whole game
const ASKING = ["opener", "leave", "void", "time", "reason"]; // screens on which somebody answers something
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
]; // besides entries
const REASONS = ["miscounted", "misheard", "mistyped", "wrong_seat"];
const [main, badge, more, spoken] = ["score", "score-state", "score-more", "announce"].map((id) =>
  document.getElementById(id),
);
const avatars = new Map(
  [...document.querySelectorAll("template[data-avatar]")].map((one) => [
    one.dataset.avatar,
    one.content.firstElementChild,
  ]),
);

let rules, outbox, row, problem, depth;
// Whether this page opens without network: "not_kept_yet", then "kept"; or "kept_open", as by plain HTTP, or with a
// certificate that nobody vouches for, browsers keep no page.
let keeping = "serviceWorker" in navigator ? "not_kept_yet" : "kept_open";
let view = { kind: "round", draft: {} };

// What screens are made of: the sheet by now, or of a round that is amended the sheet before it. While somebody fills a
// screen in, it is the sheet that they began with, whatever others write.
function tableOf() {
  const amended = view.number;
  return {
    ...(view.before ?? fold(view.begun ?? row, rules)),
    ...peopleOf(),
    depth,
    draft: view.draft,
    redraw: draw,
    sure: amended && say("why"),
    note: (value) =>
      amended ? draw(view.before.sheet.apply({ act: "note", value })) : enter("note", value),
    close: (value) => (amended ? show({ ...view, kind: "reason", value }) : enter("close", value)),
  };
}
const peopleOf = () => ({
  names: row.seats.map(({ name }) => name),
  avatars: row.seats.map(({ handle }) => avatars.get(handle)),
  settings: { ...rules[row.kind].settings, ...row.rules },
});
// The table before one of its rounds, counted from 0.
function before(rounds, place, entries = [...row.entries, ...row.waiting]) {
  const opened = entries.filter(({ act }) => act === "opener").slice(-1);
  return fold(row, rules, [
    ...opened,
    ...rounds.slice(0, place).map((value, key) => ({ act: "close", value, key })),
  ]);
}
async function enter(act, value) {
  const table = tableOf();
  const done =
    act === "close" ? outcome(table, preview(table.sheet, value)).join(". ") : say(`did_${act}`);
  const count = lengthOf(view.begun ?? row);
  view = { kind: "round", draft: {} };
  const fault = await outbox.add(row.id, count, act, value);
  spoken.textContent = fault?.code === "stale" ? say("stale") : done;
  if (fault?.message) show({ kind: "fault", fault });
}
const lengthOf = ({ entries, waiting }) => entries.length + waiting.length;
const playedOf = ({ entries, waiting }) => entries.filter(isPlayed).length + waiting.length;
function show(next) {
  view = next;
  draw();
}
// Whether somebody has begun to answer what is asked: then the screen stays, whatever others write.
function isFilledIn() {
  if (view.kind !== "round") return ASKING.includes(view.kind);
  return Boolean(view.number) || isAnswered(view.draft);
}
const isAnswered = ({ losses = [], doubters, opener, ...answers }) =>
  losses.some(Boolean) || Object.keys(answers).length > 0;
const to = (kind) => () => show({ kind, draft: {} });
const home = to("round");

// The page: what is shown, with the focus on what comes first, or on the control that it was on (`again`).
function draw(again) {
  const screen = screenOf();
  const title = el("h1", { tabindex: "-1" }, screen.title);
  const back =
    screen.back && button([shape("i-prev", "size-5"), say("back")], screen.back, "btn btn-outline");
  const isRefused = outbox.state === "refused" && !problem;
  main.replaceChildren(
    keeping === "kept_open" ? el("p", { class: "score-kept" }, say(keeping)) : "",
    isRefused
      ? el(
          "p",
          { class: "note note-error" },
          el("span", {}, say("key_ended"), " ", el("a", { href: KEY }, say("get_key"))),
        )
      : "",
    row?.told && !problem ? toldNode() : "",
    el("div", { id: "score-said", role: "status" }, row && !problem && saidNode()),
    el(
      "div",
      { class: "score-head" },
      screen.lead,
      title,
      screen.hint && el("p", { class: "score-hint" }, screen.hint),
    ),
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
  for (const cells of main.querySelectorAll("[data-columns]")) {
    (
      cells.querySelector("[data-first]:enabled") ?? cells.querySelector("button:enabled")
    )?.setAttribute("tabindex", "0");
  }
  const first =
    main.querySelector(`[data-again="${again}"]:enabled`) ??
    main.querySelector("[data-first]:enabled") ??
    title;
  first.focus({ preventScroll: true });
  if (first !== title) first.scrollIntoView({ block: "center" });
}
// What another phone changed of the rounds that this one knew.
function toldNode() {
  const lines = row.told.map(({ number, reason, before: old, round: now }) => {
    const line = say(row.kind === "bluff" ? "round" : "turn", { number });
    if (!now) return el("li", {}, say("line_undone", { line }));
    return el(
      "li",
      {},
      say("line_amended", { line, why: say(reason) }),
      " ",
      roundNode(peopleOf(), now, old),
    );
  });
  const isSeen = () =>
    outbox.change(row.id, (now) => {
      delete now.told;
    });
  const ok = button(say("ok"), isSeen, "btn");
  return el(
    "div",
    { class: "note note-warning score-told", role: "status" },
    el("ul", {}, lines),
    ok,
  );
}
// What was said beside the play: the call for the arbiter that waits, or what was ruled on the last one until somebody
// has seen it.
const lastSaid = () => row.entries.findLast((entry) => !isPlayed(entry));
const isCalling = () => lastSaid()?.act === "call";
function saidNode() {
  const last = lastSaid();
  if (row.sealed || !last || last.act === "call_off") return "";
  if (last.act === "call") {
    const back =
      last.key === row.called && button(say("call_back"), () => callArbiter("call/end"), "btn");
    return el(
      "div",
      { class: "note note-warning score-told" },
      el("p", {}, el("b", {}, say("called")), " ", say("play_meanwhile")),
      back,
    );
  }
  if (row.ruled === last.key) return "";
  const { title, ruling: number, decisions } = facts.cases[row.kind][last.value.case];
  const [label, then] = decisions[last.value.decision];
  const isSeen = () =>
    outbox.change(row.id, (now) => {
      now.ruled = last.key;
    });
  const cited = number && [" (", ruling(number), ")"];
  return el(
    "div",
    { class: "note note-info score-told" },
    el(
      "div",
      {},
      el("p", {}, el("b", {}, say("ruled")), " ", title, cited, " – ", el("b", {}, label), "."),
      el("p", {}, then),
    ),
    button(say("ok"), isSeen, "btn"),
  );
}
async function callArbiter(path) {
  const fault = await outbox.call(row.id, path).catch(() => ({ code: "offline" }));
  if (!fault) return home();
  return show({
    kind: "uncalled",
    words: fault.code === "offline" ? say("call_offline") : inWords(fault.detail),
  });
}
const mayCall = () => !row.sealed && !row.ahead && !isCalling();
const callButton = () => mayCall() && wide(say("call_arbiter"), () => callArbiter("call"));
function showState() {
  const waiting = row?.waiting.length ?? 0;
  const parts = [
    waiting > 0 && many("unsent", waiting),
    outbox.state !== "sent" && say(`state_${outbox.state}`),
  ].filter(Boolean);
  badge.classList.toggle("unsent", parts.length > 0);
  badge.textContent = parts.join(" · ") || say("all_sent");
}
function screenOf() {
  if (problem) return problemScreen();
  if (row.trouble && view.kind !== "reason") return troubleScreen();
  const table = tableOf();
  if (SCREENS[view.kind]) return SCREENS[view.kind](table);
  if (row.sealed) return sealedScreen(table);
  return table.sheet.over && !view.number ? endScreen(table) : roundScreen(table);
}
function roundScreen(table) {
  const { sheet, rounds } = table;
  const { number = sheet.closed + 1 } = view;
  const { lead, hint, foot, ...screen } = round(table);
  const isFresh = !isAnswered(view.draft);
  const last = isFresh &&
    !view.number &&
    rounds.length > 0 && [`${sheet.closed}: `, roundNode(table, rounds.at(-1))];
  const wasVoid =
    isFresh &&
    view.number &&
    button(say("was_void"), () => table.close({ void: true }), "btn btn-outline");
  const again =
    !view.number &&
    sheet.fixed === sheet.closed &&
    el("p", { class: "score-hint" }, say("played_again"));
  const now = [
    say(sheet.game.owned ? "round" : "turn", { number }),
    view.number && ` · ${say("amending")}`,
  ];
  return {
    ...(isFresh && view.number && { back: to("rounds") }),
    ...screen,
    lead: [lead, el("p", { class: "score-number" }, now), again],
    hint: hint ?? last,
    foot: [isFresh && sheet.game.owned && !sheet.notes.length && depthChoice(), foot, wasVoid],
    below: isFresh && !view.number && undoButton(table),
  };
}
function depthChoice() {
  const choose = (one) => () => {
    depth = one;
    try {
      localStorage.setItem("score-depth", one);
    } catch {
      /* a private window forgets it */
    }
    view.draft = {};
    draw(`depth-${one}`);
  };
  return el(
    "div",
    { class: "score-depths", role: "group", "aria-label": say("depth") },
    DEPTHS.map((one) =>
      button(say(`depth_${one}`), choose(one), "btn", {
        "aria-pressed": String(depth === one),
        "data-again": `depth-${one}`,
      }),
    ),
  );
}
function undoButton({ sheet }) {
  const round = say(sheet.game.owned ? "undo_round" : "undo_turn", { number: sheet.closed });
  const words = sheet.notes.length ? say("undo_note") : sheet.last_round && round;
  return words && button(words, () => enter("undo", {}), "btn btn-outline");
}

// What is rarely needed, each behind a question.
const wide = (label, go, look = "btn-outline", extra = {}) =>
  button(label, go, `btn btn-lg score-wide ${look}`, extra);
const list = (...lines) =>
  el(
    "ul",
    { class: "score-list" },
    lines
      .flat()
      .filter(Boolean)
      .map((line) => el("li", {}, line)),
  );
function sure(table, title, value, number, act = "close") {
  const seen = act === "close" ? preview(table.sheet, value) : null;
  const body = seen && (seen.fault ? faultNode(table, seen.fault) : outcomeNode(table, seen));
  const foot = !seen?.fault && primary(say("yes"), () => enter(act, value));
  return { title, hint: [say("ruling"), " ", ruling(number)], body, foot, back: to("more") };
}
function chooseSeat(table, title, then) {
  if (view.seat !== undefined) return then(view.seat);
  return { title, body: seats(table, title, (seat) => show({ ...view, seat })), back: to("more") };
}
const amend = (table, place) => () =>
  show({
    kind: "round",
    draft: {},
    number: place + 1,
    before: before(table.rounds, place),
    begun: view.begun,
  });
const SCREENS = {
  more({ sheet }) {
    const isOn = !sheet.over && !row.sealed;
    const link = (href, label, target) =>
      el("a", { class: "btn btn-lg btn-outline score-wide", href, target }, label);
    const lines = list(
      callButton(),
      sheet.closed > (sheet.fixed ?? 0) &&
        !row.sealed &&
        !isHeld() &&
        wide(say("rounds_so_far"), to("rounds")),
      isOn &&
        !sheet.closed &&
        !sheet.notes.length &&
        sheet.fixed === null &&
        wide(say("who_opens"), to("opener")),
      isOn && [
        wide(say("somebody_leaves"), to("leave")),
        wide(say("void_round"), to("void")),
        wide(say("time_up"), to("time")),
      ],
      row.waiting.length > 0 && !row.ahead && codeButton(),
      wide(say("light_or_dark"), null, "btn-outline", { "data-theme-toggle": true }),
      link(facts.docs, say("rules"), "_blank"),
      facts.page && link(facts.page, facts.name),
    );
    return {
      title: say("more"),
      back: home,
      body: [lines, el("p", { class: "small" }, say(keeping))],
    };
  },
  code: () => ({
    title: say("show_code") + view.count,
    hint: say("code_hint"),
    body: codeNode(view),
    back: home,
    foot: view.next && primary(say("next_code"), view.next),
  }),
  uncalled: () => ({ title: say("call_arbiter"), hint: view.words, back: home }),
  fault: (table) => ({ title: say("not_taken"), body: faultNode(table, view.fault), back: home }),
  opener: (table) =>
    chooseSeat(table, say("who_opens"), (seat) =>
      sure(
        table,
        say("opens_game", { name: table.names[seat] }),
        { seat },
        table.sheet.game.owned ? "B15" : "K14",
        "opener",
      ),
    ),
  leave: (table) =>
    chooseSeat(table, say("who_leaves"), (seat) => {
      const { notes, game } = table.sheet;
      const within =
        notes.length && game.owned ? { void: true, moves: notes.map(({ bid }) => bid) } : {};
      return sure(
        table,
        say("leaves", { name: table.names[seat] }),
        { forfeit: [seat], ...within },
        game.owned ? "B17" : "K15",
      );
    }),
  void: (table) =>
    sure(table, say("void_round"), { void: true }, table.sheet.game.owned ? "B18" : "K17"),
  time(table) {
    const uneven = unevenTurns(table);
    if (uneven) return unevenScreen(table, uneven);
    return sure(table, say("time_up"), { ended: "clock" }, table.sheet.game.owned ? "B20" : "K17");
  },
  rounds(table) {
    const fixed = table.sheet.fixed ?? 0;
    const line = (value, place) =>
      button(
        [el("b", {}, place + 1), el("span", {}, roundNode(table, value))],
        amend(table, place),
        "score-seat",
      );
    const lines = table.rounds
      .map((value, place) => place >= fixed && el("li", {}, line(value, place)))
      .filter(Boolean);
    return {
      title: say("rounds_so_far"),
      hint: say("tap_to_amend"),
      body: el("ol", { class: "score-seats" }, lines.reverse()),
      back: to("more"),
    };
  },
  reason() {
    const { number, value, settles } = view;
    const go = (reason) => () => {
      if (!settles) return enter("amend", { number, reason, round: value });
      view = { kind: "round", draft: {} };
      return outbox.settle(row.id, "amend", reason);
    };
    return {
      title: say("why"),
      back: home,
      body: list(REASONS.map((reason) => wide(say(reason), go(reason)))),
    };
  },
};

// Of Lügen-Kniffel the turns beyond the last whole round, the last first, and the seats that lack one; null where all
// seats have had as many, and in a last lap, which is played out.
function unevenTurns({ sheet, rounds }) {
  const { owned, turns, playing, last_lap } = sheet.game;
  const least = Math.min(...(playing ?? []).map((seat) => turns[seat]));
  const lacking = playing?.filter((seat) => turns[seat] === least);
  if (owned || last_lap || lacking.length === playing.length) return null;
  const past = before(rounds, 0).sheet;
  const extra = [];
  rounds.forEach((value, place) => {
    const seat = past.game.roller;
    past.apply({ act: "close", value });
    const isExtra =
      playing.includes(seat) && value.say && !value.void && past.game.turns[seat] > least;
    if (isExtra)
      extra.unshift({
        seat,
        entry: { number: place + 1, reason: "time_up", round: { void: true } },
      });
  });
  return { lacking, extra };
}
// Time is up within a round of turns (K17): either the missing turns are played, or those beyond the last whole round are
// void.
function unevenScreen(table, { lacking, extra }) {
  const namesOf = (all) => all.map((seat) => table.names[seat]).join(", ");
  const { sheet } = before(table.rounds, table.rounds.length);
  const isVoided = extra.every(({ entry }) => !sheet.apply({ act: "amend", value: entry }));
  const isFit = isVoided && !preview(sheet, { ended: "clock" }).fault;
  const voids = el(
    "p",
    {},
    say("whole_round_means", { names: namesOf(extra.map(({ seat }) => seat).reverse()) }),
  );
  return {
    title: say("time_up"),
    hint: [
      say("turns_lacking", { names: namesOf(lacking) }),
      " ",
      say("ruling"),
      " ",
      ruling("K17"),
    ],
    body: list(wide(say("play_on", { name: table.names[table.sheet.game.roller] }), home)),
    foot: isFit && [voids, primary(say("end_whole_round"), () => endWholeRound(extra))],
    back: to("more"),
  };
}
async function endWholeRound(extra) {
  view = { kind: "round", draft: {} };
  for (const { entry } of extra) {
    const fault = await outbox.add(row.id, lengthOf(row), "amend", entry);
    if (fault?.message) return show({ kind: "fault", fault });
    if (fault) return draw();
  }
  return enter("close", { ended: "clock" });
}

// The end: places and points, then the seal.
function placesNode(table) {
  const { rank, points } = table.sheet.ending();
  const order = [...rank.keys()].sort((one, other) => rank[one] - rank[other]);
  const unit = table.settings.scoring ? "dice" : "points"; // in Bluff they are no points of an event or a season
  return el(
    "ol",
    { class: "finishes big" },
    order.map((seat) =>
      el(
        "li",
        {},
        el("b", {}, rank[seat]),
        who(table, seat),
        table.settings.scoring !== "placement" &&
          el("span", { class: "n" }, many(unit, points[seat])),
      ),
    ),
  );
}
// Without network: what waits, as a code that another phone reads and sends on.
const codeButton = (look = "btn btn-lg score-wide btn-outline") =>
  button(say("show_code"), () => showCode(0), look);
const drawing = () => import("./qr/index.js");
async function showCode(place) {
  try {
    const codes = await outbox.codes(row.id);
    const { encodeQR } = await drawing();
    const next = place + 1 < codes.length && (() => showCode(place + 1));
    const count = codes.length > 1 ? ` ${place + 1}/${codes.length}` : "";
    show({
      kind: "code",
      next,
      count,
      text: codes[place],
      dots: encodeQR(codes[place], "raw", { ecc: "low", border: 4 }),
    });
  } catch {
    // what draws or signs it isn't loaded
    show({ kind: "code", count: "" });
  }
}
function codeNode({ text, dots }) {
  if (!dots) return el("p", { class: "note note-warning" }, say("no_code"));
  const canvas = el("canvas", {
    class: "score-code",
    width: dots.length,
    height: dots.length,
    role: "img",
    "aria-label": say("code_label"),
  });
  const pen = canvas.getContext("2d");
  pen.fillStyle = "#fff";
  pen.fillRect(0, 0, dots.length, dots.length);
  pen.fillStyle = "#000";
  dots.forEach((line, y) => line.forEach((isDark, x) => isDark && pen.fillRect(x, y, 1, 1)));
  return [
    canvas,
    el(
      "details",
      {},
      el("summary", {}, say("code_text")),
      el("p", { class: "small score-code-text" }, text),
    ),
  ];
}
// Whether this sheet, one of two, is handed in and stays as it is until the other one is.
const isHeld = () => row.handed && !row.compared;
// Whose word is missing, if it isn't this phone's: an arbiter's, or that of anybody but the one who wrote last.
function missingWord() {
  const { confirmation, entries, waiting, waits } = row;
  if (isHeld()) return say("waits_double");
  if (confirmation === "arbiter") return say("waits_arbiter");
  const isOwn = waiting.length > 0 || entries.findLast(isPlayed)?.own;
  return (confirmation === "seat" && isOwn) || waits === entries.length ? say("waits_seat") : null;
}
// Of two sheets that were written unseen: the rounds in which they differ, side by side; a tap amends this one.
function comparedNode(table) {
  const side = (phone, value, rival) => {
    const words = value ? roundNode(table, value, rival) : say("no_such_round");
    return el("span", {}, el("small", {}, say(phone)), " ", words);
  };
  return el(
    "section",
    { class: "score-compared mb-4" },
    el("h2", {}, say("sheets_differ")),
    el(
      "ol",
      { class: "score-seats" },
      row.compared.map((one) =>
        el(
          "li",
          {},
          button(
            [
              el("b", {}, one.number),
              side("this_phone", one.this_sheet, one.other_sheet),
              side("other_phone", one.other_sheet, one.this_sheet),
            ],
            one.this_sheet && amend(table, one.number - 1),
            "score-seat",
          ),
        ),
      ),
    ),
    el("p", { class: "small" }, say("arbiter_chooses")),
    callButton(),
  );
}
function endScreen(table) {
  const missing = missingWord();
  const isDouble = row.confirmation === "double";
  const times = [...row.entries.filter(isPlayed), ...row.waiting].map(({ at }) => Date.parse(at));
  const isShort = times.at(-1) - times[0] < SHORT;
  const isUnsent = row.waiting.length > 0 && !row.ahead;
  const goesOn = (missing || row.sealing) && outbox.state === "offline" && canGoOn(row);
  return {
    title: say("game_over"),
    hint: missing ?? say(row.sealing ? "seals_later" : isDouble ? "hand_in_means" : "seal_means"),
    body: [
      row.compared?.length > 0 && comparedNode(table),
      placesNode(table),
      isShort && el("p", { class: "note note-warning" }, say("short_game")),
    ],
    foot: [
      !missing &&
        !row.sealing &&
        primary(say({ seat: "confirm", double: "hand_in" }[row.confirmation] ?? "seal"), () =>
          outbox.seal(row.id),
        ),
      goesOn && wide(say("next_game"), goOn),
    ],
    below: [
      !isHeld() && undoButton(table),
      isUnsent && outbox.state !== "sent" && codeButton("btn btn-outline"),
    ],
  };
}
// Who won, in large letters under lifted cups.
function winnersNode(table) {
  const { rank } = table.sheet.ending();
  const winners = table.names.filter((_, seat) => rank[seat] === 1).join(", ");
  const cup = () => shape("cup-up", "cup");
  return el(
    "p",
    { class: "score-winner" },
    cup(),
    el("b", {}, say("won", { name: winners })),
    cup(),
  );
}
// What the game changed in each ranking in which it counts, and where one plays next.
function gainsNodes(table) {
  const { rankings = [], following = [] } = row.gains ?? {};
  const sections = rankings.map(({ name, seats: gains }) =>
    el(
      "section",
      { class: "score-gains" },
      el("h2", {}, name ?? say("all_time"), " ", el("small", {}, say("ranking_points"))),
      el(
        "ul",
        {},
        gains.map((gain) =>
          el(
            "li",
            {},
            who(table, gain.seat),
            rankNode(gain),
            el(
              "span",
              { class: "n" },
              say("gained", { points: signed(gain.points), total: gain.total }),
            ),
          ),
        ),
      ),
    ),
  );
  const way = (place, address) =>
    facts.page ? el("a", { href: `${facts.tables}${idOf(address)}/` }, place) : el("b", {}, place);
  const ways = following.map(({ player, place, table: address }) =>
    el("li", {}, el("span", {}, player), way(place, address)),
  );
  const next = el(
    "section",
    { class: "score-gains" },
    el("h2", {}, say("plays_next")),
    el("ul", {}, ways),
  );
  return [sections, ways.length > 0 && next];
}
function rankNode({ rank, rank_before: before }) {
  if (before === null || before === rank)
    return el("span", { class: "n" }, say("rank_is", { rank }));
  const arrow = el("span", { "aria-hidden": "true" }, before > rank ? "▲ " : "▼ ");
  return el("span", { class: "n" }, arrow, say("rank_was", { rank, before }));
}
const sealedScreen = (table) => ({
  lead: winnersNode(table),
  title: say("sealed"),
  hint: view.hint ?? say("sealed_means"),
  body: [placesNode(table), gainsNodes(table)],
  foot: [
    facts.page &&
      el(
        "a",
        { class: "btn btn-primary btn-huge", href: `${facts.games}${row.sealed}/` },
        say("to_game"),
      ),
    facts.table && !view.hint && wide(say("next_game"), goOn),
    facts.again &&
      el("a", { class: "btn btn-lg btn-outline score-wide", href: facts.again }, say("game_again")),
  ],
});

// Two phones wrote different things, or the server refuses an entry: somebody at the table chooses.
const inWords = (detail) => words.faults[detail] ?? detail;
function entryNode(table, { act, value, seen }, rival) {
  if (act === "amend")
    return [
      el("b", {}, say("round", { number: value.number })),
      " ",
      roundNode(table, value.round, rival),
      ` (${say(value.reason)})`,
    ];
  if (act === "note")
    return `${table.names[value.seat]}: ${value.bid ? bidWords(value.bid) : value.say}`;
  if (act !== "close") return say(`did_${act}`);
  if (seen === undefined) return roundNode(table, value, rival);
  const there = { ...table, ...before(table.rounds, seen, row.entries) };
  const result = preview(there.sheet, value);
  const rivalResult = rival && preview(there.sheet, rival);
  const effect = result.fault
    ? faultNode(there, result.fault)
    : outcomeNode(there, result, rivalResult);
  return [
    el("b", {}, say("round", { number: seen + 1 })),
    " ",
    roundNode(table, value, rival),
    effect,
  ];
}
// Whose a phone is: numbered as on the sheet’s page, in the order in which they first wrote.
function writerOf({ own, by = {} }) {
  const phones = [
    ...new Set(row.entries.map((entry) => (entry.own ? "own" : entry.by?.device)).filter(Boolean)),
  ];
  const number = phones.indexOf(own ? "own" : by.device) + 1;
  if (own) return number ? `${say("this_phone")} (${say("phone", { number })})` : say("this_phone");
  if (by.account) return say("signed_in");
  return number ? say("phone", { number }) : say("other_phone");
}
function troubleScreen() {
  const { code, place, from, detail } = row.trouble;
  const table = { ...fold(row, rules, row.entries), ...peopleOf() };
  const mine = row.waiting[place];
  if (code !== "overtaken") return refusedScreen(table, mine, code, detail);
  const rival = mine?.act === "close" ? table.rounds[mine.seen] : undefined;
  const theirs = rival ? [{ ...mine, value: rival }] : row.entries.slice(from).filter(isPlayed);
  const writer = row.entries.findLast((entry) => !entry.own && isPlayed(entry));
  const screen = {
    title: say("two_phones"),
    hint: say("nothing_lost"),
    body: [
      card(table, `${say("theirs")}: ${writerOf(writer ?? {})}`, theirs, rival && mine.value),
      mine && card(table, `${say("ours")}: ${writerOf({ own: true })}`, [mine], rival),
    ],
  };
  if (!rival)
    return { ...screen, foot: primary(say("keep_theirs"), () => outbox.settle(row.id, "drop")) };
  return {
    ...screen,
    foot: agreement({ theirs: writerOf(writer ?? {}), ours: writerOf({ own: true }) }),
  };
}
// Theirs or ours, as large as each other; then the word of the table.
function agreement(writers) {
  const choose = (name) => () => show({ ...view, choice: name });
  const choices = Object.entries(writers).map(([name, writer]) =>
    button(
      [el("b", {}, say(name)), el("small", {}, writer)],
      choose(name),
      "btn btn-lg btn-outline",
      { "aria-pressed": String(view.choice === name), "data-again": name },
    ),
  );
  const agree = () => {
    if (view.choice === "ours") return show({ kind: "reason", settles: true });
    view = { kind: "round", draft: {} };
    return outbox.settle(row.id, "drop");
  };
  const { choice } = view;
  return [
    el("div", { class: "score-choices", role: "group", "aria-label": say("two_phones") }, choices),
    primary(say("we_agree"), agree, { disabled: !choice, "data-first": choice ? true : null }),
  ];
}
const card = (table, title, entries, rival) =>
  el(
    "section",
    { class: "card score-choice" },
    el("h2", {}, title),
    el(
      "ul",
      {},
      entries.map((entry) => el("li", {}, entryNode(table, entry, rival))),
    ),
  );
// The service refuses an entry, or a game that was begun on this phone alone.
function refusedScreen(table, mine, code, detail) {
  const isAll = code === "sealed" || row.ahead;
  const drop = () =>
    row.ahead ? outbox.forget(row.id).then(openNext) : outbox.settle(row.id, "drop");
  return {
    title: say("not_taken"),
    hint: code === "begun_elsewhere" ? say(code) : inWords(detail),
    body: mine && card(table, writerOf({ own: true }), row.ahead ? row.waiting : [mine]),
    foot: [
      primary(say("again"), () => outbox.settle(row.id, "again")),
      (mine || row.ahead) && wide(say(isAll ? "drop_all" : "drop_mine"), drop),
    ],
  };
}
const problemScreen = () => ({
  title: say("cannot_write"),
  body: el("p", { class: "note note-warning" }, problem),
  foot: [
    el("a", { class: "btn btn-primary btn-huge", href: KEY }, say("get_key")),
    wide(say("again"), openNext),
    facts.page && el("a", { class: "btn btn-ghost score-wide", href: facts.page }, facts.name),
  ],
});

// The game of this table that was begun or opened last; before it one that waits for somebody to choose.
async function newest() {
  const games = (await outbox.rows()).filter(({ table }) => table === PLACE);
  games.sort((one, other) => (one.opened < other.opened ? 1 : -1));
  const begun = games.filter(({ ahead }) => ahead).sort((one, other) => other.number - one.number);
  return games.find(isUndecided) ?? begun[0] ?? games[0];
}
const isUndecided = ({ trouble, compared, sealed }) =>
  Boolean(trouble) || (!sealed && compared?.length > 0);
// The next game of the table: without network it begins on this phone alone.
async function goOn() {
  const last = row;
  await openNext();
  if (outbox.state !== "offline" || row.id !== last.id || !canGoOn(last)) return;
  outbox.shown = await outbox.begin(last);
  row = await newest();
  show({ kind: "round", draft: {} });
}
const canGoOn = ({ number, games }) => Boolean(number) && number < games;
async function openNext() {
  const refused = await outbox.open(facts).catch(() => ({ offline: true }));
  const isKey = refused && [401, 403].includes(refused.status);
  const words =
    refused &&
    (refused.offline ? say("not_here_yet") : isKey ? say("key_ended") : inWords(refused.detail));
  outbox.state = refused?.offline ? "offline" : isKey ? "refused" : "sent";
  row = await newest();
  problem = row ? null : words;
  outbox.shown = row?.id;
  show({ kind: "round", draft: {}, hint: row?.sealed ? words : undefined });
  outbox.wake();
}
// A row that this window shows has changed, or, without one, the state of the outbox.
async function changed(next) {
  if (next && next.id !== outbox.shown) return attend();
  const isWritten = next && row && playedOf(next) !== playedOf(row);
  const isSaid = next && row && lengthOf(next) !== lengthOf(row);
  const stands = next && row && SHOWN.every((name) => alike(next[name], row[name]));
  const isMoot = next && row && Boolean(next.trouble) !== Boolean(row.trouble); // something else is asked now
  if (isWritten && isFilledIn()) view.begun ??= row;
  row = next ?? row;
  if (!next && outbox.state === "sent") keepPage();
  if (next?.agreed) {
    spoken.textContent = say("agreed");
    await outbox.change(next.id, (now) => {
      delete now.agreed;
    });
  }
  const isSent = view.kind === "code" && !row.waiting.length;
  if (isSent || isMoot) view = { kind: "round", draft: {} };
  const isOffered = !next && row && !problem && view.kind === "round" && tableOf().sheet.over; // as a code, or no longer
  const isRefused = !next && outbox.state === "refused";
  const isNew = (isWritten && !view.begun) || isSent || isMoot || stands === false;
  if (isNew || isOffered || isRefused) draw();
  else if (!problem) showState();
  if (isSaid && !problem) document.getElementById("score-said")?.replaceChildren(saidNode());
  return attend();
}
// A game before this one that waits for somebody to choose comes first, once nothing is filled in.
async function attend() {
  if (!row || isFilledIn()) return;
  const first = await newest();
  if (!first || !isUndecided(first) || first.id === row.id) return;
  [row, outbox.shown] = [first, first.id];
  show({ kind: "round", draft: {} });
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
more.addEventListener("click", to("more"));

async function begin() {
  try {
    depth = localStorage.getItem("score-depth");
  } catch {
    /* a private window keeps nothing */
  }
  if (!DEPTHS.includes(depth)) depth = "last";
  rules = await (await fetch(facts.rules)).json();
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
  Promise.all([drawing(), signing()]).catch(() => {}); // while there is network: codes are shown when there is none
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
  active.postMessage({ keep: location.pathname });
}
begin();
