// A round of Bluff, or a turn of Lügen-Kniffel, as it is entered: one question after the other, each a screen.
//   round(table) → { lead, title, hint, body, foot, back }     parts of the page; `back` takes the last answer back
//   table: { sheet, settings, draft, depth, names, avatars, sure, note(value), close(value), redraw(again) }
//   `sure`: what the last button says where it is no whole entry yet; `again`: the control that is to keep the focus

import { alike } from "./outbox.js";
import { legalBids, preview, rulingOf, turn } from "./sheet.js";

export const facts = JSON.parse(document.getElementById("facts").textContent);
export const { words } = facts;
const fill = (text, values) => text.replace(/%\((\w+)\)[sd]/g, (_, name) => values[name]);
export const say = (name, values = {}) => fill(words[name], values);
export const many = (name, count, values = {}) =>
  fill(words[name][count === 1 ? 0 : 1], { count, ...values });

export function el(tag, properties = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value !== false && value !== null && value !== undefined)
      node.setAttribute(name, value === true ? "" : value);
  }
  node.append(
    ...children
      .flat(Infinity)
      .filter((child) => child !== null && child !== undefined && child !== false),
  );
  return node;
}
export function shape(name, classes = "") {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", `${facts.shapes}#${name}`);
  svg.setAttribute("class", classes);
  svg.setAttribute("aria-hidden", "true");
  svg.append(use);
  return svg;
}
export const button = (label, onclick, classes = "btn btn-lg", more = {}) =>
  el("button", { type: "button", class: classes, onclick, ...more }, label);
export const primary = (label, onclick, more) =>
  button(label, onclick, "btn btn-primary btn-huge", { "data-first": true, ...more });
const die = (face, look = "") => shape({ "*": "ds", "?": "dh" }[face] ?? `d${face}`, `die ${look}`);
const handNode = (dice, size) =>
  el(
    "span",
    {
      class: "dice",
      role: "img",
      "aria-label": [...dice].map((face) => words.faces[face]).join(", "),
    },
    [...dice].map((face) => die(face)),
    Array.from({ length: size - dice.length }, () => die("?", "hidden-die")),
  );
const parts = (bid) => {
  const [count, face] = bid.split("/")[0].split("x");
  return { count: Number(count), face };
};
export const bidWords = (bid) => many(`bid_${parts(bid).face}`, parts(bid).count);
export const bidNode = (bid, size = "") =>
  el(
    "span",
    { class: `bid ${size}`, role: "img", "aria-label": bidWords(bid) },
    parts(bid).count,
    el("i", {}, "×"),
    die(parts(bid).face, "red"),
  );

const SEATS = ["seat", "bidder", "challenger", "opener", "roller"];
// The fault of an entry in words, with the rulings that it rests on.
function sentence(names, { message, values = {} }) {
  const word = (name, value) => {
    if (value?.message) return sentence(names, value);
    return SEATS.includes(name) && names[value]
      ? names[value]
      : Array.isArray(value)
        ? value.join(", ")
        : value;
  };
  return (words.faults[message] ?? message).replace(/\{(\w+)\}/g, (_, name) =>
    word(name, values[name]),
  );
}
export const ruling = (number) =>
  el("a", { href: `${facts.docs}#${number.toLowerCase()}`, target: "_blank" }, number);
export const faultNode = ({ sheet, names }, fault) =>
  el(
    "p",
    { class: "note note-warning" },
    el(
      "span",
      {},
      sentence(names, fault),
      " ",
      rulingOf(sheet, fault.code).map((number) => [ruling(number), " "]),
    ),
  );

// What comes of a round, a line each: who loses or gains, who is out, who goes on.
export function outcome({ sheet, names }, view) {
  const changes = (view.losses ?? view.gains).map(
    (number, seat) =>
      number &&
      (view.gains
        ? say(number > 0 ? "gains" : "drops", { name: names[seat], count: Math.abs(number) })
        : many(number > 0 ? "loses" : "gets", Math.abs(number), { name: names[seat] })),
  );
  const out = view.out.map((seat) => say("is_out", { name: names[seat] }));
  const next = view.opener === null ? "opener_unknown" : view.gains ? "rolls_next" : "opens_next";
  return [
    ...changes,
    ...out,
    view.over ? say("is_over") : say(next, { name: names[view.opener] }),
  ].filter(Boolean);
}
// As a list; lines that don't come of a `rival` are marked.
export function outcomeNode(table, view, rival) {
  const others = rival && !rival.fault ? outcome(table, rival) : null;
  const marked = (line) => (others && !others.includes(line) ? el("mark", {}, line) : line);
  const lines = outcome(table, view).map((line) => el("li", {}, marked(line)));
  return el("ul", { class: "score-outcome" }, lines);
}

// Cells in rows, one of which takes the focus; arrow keys lead to the others (scorer.js).
export const grid = (label, columns, cells, classes = "") =>
  el(
    "div",
    { class: `score-grid ${classes}`, role: "group", "aria-label": label, "data-columns": columns },
    cells,
  );
const cell = (content, onclick, more = {}) =>
  el(
    "button",
    {
      type: "button",
      class: `score-cell ${more.look ?? ""}`,
      onclick,
      tabindex: "-1",
      ...more,
      look: null,
    },
    content,
  );

const live = ({ game }) =>
  (game.owned ? game.owned.map((dice, seat) => (dice ? seat : -1)) : game.playing).filter(
    (seat) => seat >= 0,
  );
const after = (sheet, seat) => live(sheet).find((other) => other > seat) ?? live(sheet)[0];
const total = ({ game }) => game.owned.reduce((sum, dice) => sum + dice, 0);
function points({ game, kind: { data } }, seat) {
  const sum = (names) => names.reduce((all, name) => all + (game.sheets[seat][name][0] ?? 0), 0);
  return sum(data.combinations) + (sum(data.upper) >= data.bonus_from ? data.bonus : 0);
}
function seatHas({ sheet }, seat, most = 6) {
  if (!live(sheet).includes(seat)) return [shape("cup-0", "cup"), el("span", {}, say("out"))];
  if (!sheet.game.owned) return el("span", {}, many("points", points(sheet, seat)));
  const dice = sheet.game.owned[seat];
  const drawn =
    dice > most
      ? [String(dice), shape("db", "die")]
      : Array.from({ length: dice }, () => shape("db", "die"));
  return [
    el("span", { class: "dice" }, drawn),
    el("span", { class: "sr-only" }, many("dice", dice)),
  ];
}
export const who = ({ names, avatars }, seat) =>
  el("span", { class: "who" }, avatars[seat]?.cloneNode(true), el("span", {}, names[seat]));
// Seats as buttons; `mark` says something of one, `more` gives attributes.
export function seats(
  table,
  label,
  pick,
  { isOpen = () => true, mark = () => null, more = () => ({}) } = {},
) {
  const first = table.names.findIndex(
    (_, seat) => isOpen(seat) && live(table.sheet).includes(seat),
  );
  return el(
    "div",
    { class: "score-seats", role: "group", "aria-label": label, "data-columns": 1 },
    table.names.map((_, seat) =>
      el(
        "button",
        {
          type: "button",
          class: "score-seat",
          "data-first": seat === first,
          onclick: () => pick(seat),
          disabled: !isOpen(seat) || !live(table.sheet).includes(seat),
          ...more(seat),
        },
        who(table, seat),
        mark(seat),
        el("span", { class: "score-has" }, seatHas(table, seat)),
      ),
    ),
  );
}
const pill = (text, look = "") => el("span", { class: `pill ${look}` }, text);
const set = (table, answer) => {
  Object.assign(table.draft, answer);
  table.redraw();
};
const drop =
  (table, ...names) =>
  () => {
    for (const name of names) delete table.draft[name];
    table.redraw();
  };

// The bids that can be made, a row for each count; `likely` comes into view. One above the dice on the table is legal (B2),
// but seldom meant: it is grey, and asked for once more.
function bidGrid(table, label, legal, pick) {
  const { sheet } = table;
  const isHigh = (bid) => parts(bid).count > total(sheet);
  const choose = (bid) => (isHigh(bid) ? set(table, { high: bid }) : pick(bid));
  const lookOf = (bid, face) => {
    if (isHigh(bid)) return "high";
    return face === "*" ? "star" : "";
  };
  const faces = [...new Set(sheet.kind.data.faces)];
  const rows = [...new Set(legal.map((bid) => parts(bid).count))].sort((one, other) => one - other);
  const likely = legal.find((bid) => parts(bid).count >= Math.round(total(sheet) / 3)) ?? legal[0];
  const cells = rows.flatMap((count) =>
    faces.map((face) => {
      const bid = `${count}x${face}`;
      if (!sheet.kind.data.bids.includes(bid)) return el("span");
      const look = lookOf(bid, face);
      const disabled = !legal.includes(bid);
      const more = { "aria-label": bidWords(bid), disabled, "data-first": bid === likely, look };
      return cell(count, () => choose(bid), more);
    }),
  );
  const head = el(
    "div",
    { class: "score-grid score-faces", "data-columns": 6, "aria-hidden": "true" },
    faces.map((face) => die(face)),
  );
  return [head, grid(label, 6, cells)];
}
// A bid above the dice on the table: was it really said?
function highBidScreen(table, lead, pick) {
  const { high } = table.draft;
  const foot = primary(say("was_bid"), () => {
    delete table.draft.high;
    pick(high);
  });
  const hint = [many("high_bid", total(table.sheet)), " ", say("ruling"), " ", ruling("B2")];
  const body = el("p", {}, bidNode(high, "score-bid"));
  return { title: say("really_bid"), hint, lead, body, foot, back: drop(table, "high") };
}

// The round as it would be sent.
function bluffRound({ sheet, draft, depth }, count = draft.count) {
  const notes = sheet.notes.map(({ bid }) => bid);
  const opener =
    sheet.game.opener === null && openerOf({ sheet, draft }) !== null
      ? { opener: openerOf({ sheet, draft }) }
      : {};
  if (depth === "losses") return { losses: draft.losses };
  if (depth === "last")
    return {
      moves: [draft.bid, "!"],
      bidder: draft.bidder,
      challenger: after(sheet, draft.bidder),
      count,
      ...opener,
    };
  return {
    moves: [...notes, "!"],
    ...(depth === "dice" ? { revealed: draft.hands } : { count }),
    ...opener,
  };
}
function openerOf({ sheet: { game, notes }, draft }) {
  return (
    game.opener ??
    notes[0]?.seat ??
    draft.opener ??
    (game.openers.length === 1 ? game.openers[0] : null)
  );
}

function bluff(table) {
  const { sheet, draft, depth } = table;
  if (depth === "losses") return lossesScreen(table);
  if (openerOf(table) === null) return openerScreen(table);
  if (depth === "last" && draft.bidder === undefined) return bidderScreen(table);
  if (depth === "last" && draft.bid === undefined) return lastBidScreen(table);
  if (depth !== "last" && draft.showing) return showScreen(table);
  if (depth !== "last" && !draft.challenged) return bidsScreen(table);
  if (depth === "dice" && !isTold(sheet, draft.hands)) return handScreen(table);
  if (depth !== "dice" && draft.count === undefined) return countScreen(table);
  return confirmScreen(
    table,
    bluffRound(table),
    betNode(table),
    drop(table, depth === "dice" ? "hands" : "count"),
  );
}
function openerScreen(table) {
  const isOpen = (seat) => table.sheet.game.openers.includes(seat);
  const body = seats(table, say("who_opened"), (opener) => set(table, { opener }), { isOpen });
  return { title: say("who_opened"), hint: say("opener_untold"), body };
}
function bidderScreen(table) {
  const mark = (seat) => seat === openerOf(table) && pill(say("opens"), "pill-gold");
  return {
    title: say("who_bid"),
    body: seats(table, say("who_bid"), (bidder) => set(table, { bidder }), { mark }),
  };
}
function lastBidScreen(table) {
  const { sheet, draft } = table;
  let [seat, place] = [openerOf(table), 0];
  for (; seat !== draft.bidder; seat = after(sheet, seat)) place += 1; // each before has bid something lower
  const legal = legalBids(sheet).filter((bid) => sheet.kind.data.bids.indexOf(bid) >= place);
  const label = say("what_bid", { name: table.names[draft.bidder] });
  const pick = (bid) => set(table, { bid });
  if (draft.high) return highBidScreen(table, betNode(table), pick);
  return {
    title: label,
    lead: betNode(table),
    body: bidGrid(table, label, legal, pick),
    back: drop(table, "bidder"),
  };
}
// Who bid and who challenged, and the bid as large as there is room.
function betNode(table) {
  const { sheet, draft, depth } = table;
  const [bidder, bid] =
    depth === "last"
      ? [draft.bidder, draft.bid]
      : [sheet.notes.at(-1)?.seat, sheet.notes.at(-1)?.bid];
  if (bidder === undefined) return null;
  const challenger = depth === "last" || draft.challenged ? after(sheet, bidder) : null;
  return el(
    "div",
    { class: "score-bet" },
    el("p", {}, who(table, bidder), pill(say("bid"))),
    bid && el("p", {}, bidNode(bid, "score-bid")),
    challenger !== null &&
      el("p", {}, who(table, challenger), pill(say("challenges"), "pill-star")),
  );
}
function countScreen(table) {
  const { depth, sheet, draft } = table;
  const bid = parts(depth === "last" ? draft.bid : sheet.notes.at(-1).bid).count;
  const cells = Array.from({ length: total(sheet) + 1 }, (_, count) => {
    const look = count === bid ? "exact" : count < bid ? "fewer" : "";
    const more = { "aria-label": many("counted", count), "data-first": count === bid, look };
    return cell(count, () => set(table, { count }), {
      ...more,
      disabled: Boolean(preview(sheet, bluffRound(table, count)).fault),
    });
  });
  const back = depth === "last" ? drop(table, "bid") : drop(table, "challenged");
  const bidder = depth === "last" ? draft.bidder : sheet.notes.at(-1).seat;
  const hint = say("count_hint", {
    bidder: table.names[bidder],
    challenger: table.names[after(sheet, bidder)],
  });
  return {
    title: say("how_many"),
    hint,
    lead: betNode(table),
    body: grid(say("how_many"), 6, cells),
    back,
  };
}
function confirmScreen(table, value, lead, back) {
  const view = preview(table.sheet, value);
  const body = view.fault ? faultNode(table, view.fault) : outcomeNode(table, view);
  return {
    title: say("so_it_was"),
    lead,
    body,
    back,
    foot: !view.fault && primary(table.sure ?? say("done"), () => table.close(value)),
  };
}
function lossesScreen(table) {
  const { sheet, draft, names } = table;
  const losses = (draft.losses ??= names.map(() => 0));
  const least = table.settings.exact === "giveaway" ? -1 : 0;
  const move = (seat, by) => () => {
    losses[seat] += by;
    table.redraw(`${seat}${by}`);
  };
  const stepper = (seat, by, label, sign) =>
    button(sign, move(seat, by), "score-cell score-step", {
      "aria-label": label,
      "data-again": `${seat}${by}`,
      disabled: losses[seat] + by < least || losses[seat] + by > sheet.game.owned[seat],
    });
  const lines = names.map((name, seat) =>
    el(
      "li",
      { class: "score-seat", hidden: !sheet.game.owned[seat] },
      who(table, seat),
      el("span", { class: "score-has" }, seatHas(table, seat, 0)),
      stepper(seat, -1, say("one_less", { name }), "−"),
      el("output", {}, losses[seat] ? signed(-losses[seat]) : "0"),
      stepper(seat, 1, say("one_more", { name }), "+"),
    ),
  );
  const view = losses.some(Boolean) ? preview(sheet, { losses }) : null;
  const foot = [
    view && (view.fault ? faultNode(table, view.fault) : outcomeNode(table, view)),
    primary(table.sure ?? say("done"), () => table.close({ losses }), {
      disabled: !view || Boolean(view.fault),
      "data-again": "done",
    }),
  ];
  return { title: say("who_lost"), body: el("ul", { class: "score-seats" }, lines), foot };
}
function bidsScreen(table) {
  const { sheet, draft } = table;
  const seat = sheet.notes.length ? turn(sheet) : openerOf(table);
  const label = say(sheet.notes.length ? "bids_now" : "opens_now", { name: table.names[seat] });
  const show = draft.show ? `/${draft.show}` : "";
  const pick = (bid) => {
    delete draft.show;
    table.note({ bid: bid + show, seat });
  };
  if (draft.high) return highBidScreen(table, betNode(table), pick);
  const lays =
    table.settings.reroll &&
    button(draft.show ? [say("laid_out"), handNode(draft.show, 0)] : say("lay_out"), () =>
      set(table, { showing: true, show: "" }),
    );
  const challenge =
    sheet.notes.length > 0 &&
    button(say("cups_up"), () => set(table, { challenged: true }), "btn btn-error btn-huge");
  return {
    title: label,
    lead: betNode(table),
    body: bidGrid(table, label, legalBids(sheet), pick),
    foot: [lays, challenge],
  };
}
const faceRow = (faces, pick) =>
  grid(
    say("faces_label"),
    6,
    [...faces].map((face, place) =>
      cell(die(face), () => pick(face), {
        "aria-label": words.faces[face],
        "data-first": place === 0,
        "data-again": face,
      }),
    ),
    "dice-row",
  );
const handLine = (dice, size, ...more) =>
  el("p", { class: "score-hand" }, handNode(dice, size), more);
function showScreen(table) {
  const { draft } = table;
  const body = faceRow("12345*", (face) => {
    draft.show += face;
    table.redraw(face);
  });
  const foot = primary(say("done"), drop(table, "showing"), { "data-first": null });
  return {
    title: say("lay_out"),
    lead: handLine(draft.show, 0),
    body,
    foot,
    back: drop(table, "showing", "show"),
  };
}
const isTold = ({ game }, hands) =>
  Boolean(hands) && hands.every((hand, seat) => hand.length === game.owned[seat]);
function handScreen(table) {
  const { sheet, draft, names } = table;
  const hands = (draft.hands ??= names.map(() => ""));
  const seat = hands.findIndex((hand, place) => hand.length < sheet.game.owned[place]);
  const put = (face) => {
    hands[seat] += face;
    table.redraw(face);
  };
  const last = hands.findLastIndex((hand) => hand);
  const back =
    last < 0
      ? drop(table, "challenged", "hands")
      : () => {
          hands[last] = hands[last].slice(0, -1);
          table.redraw();
        };
  const lead = [betNode(table), handLine(hands[seat], sheet.game.owned[seat])];
  return {
    title: say("whose_dice", { name: names[seat] }),
    lead,
    body: faceRow("12345*", put),
    back,
  };
}

// Lügen-Kniffel: who rolls announces a combination and its points; others doubt, and then dice are shown.
function kniffel(table) {
  const { draft } = table;
  if (draft.combination === undefined) return combinationScreen(table);
  if (draft.points === undefined) return pointsScreen(table);
  if (!draft.shown) return doubtScreen(table);
  if (draft.dice.length < 5) return diceScreen(table);
  const {
    settings,
    sheet: {
      kind: { data },
    },
  } = table;
  const score =
    data.scores[[...draft.dice].sort().join("")][data.combinations.indexOf(draft.combination)];
  const isLie = settings.truth === "at_least" ? score < draft.points : score !== draft.points;
  const lead = [
    saidNode(table),
    handLine(draft.dice, 5, pill(say(isLie ? "lie" : "true"), isLie ? "pill-star" : "pill-win")),
  ];
  return confirmScreen(table, kniffelTurn(draft), lead, () =>
    set(table, { dice: draft.dice.slice(0, -1) }),
  );
}
function kniffelTurn({ combination, points: number, doubters, dice }) {
  const doubted = doubters?.length
    ? { doubts: [...doubters].sort((one, other) => one - other), dice }
    : {};
  return { say: `${combination}=${number}`, ...doubted };
}
const saidNode = (table) =>
  el(
    "p",
    { class: "score-bet" },
    who(table, turn(table.sheet)),
    el("strong", {}, `${words.combinations[table.draft.combination]} ${table.draft.points ?? ""}`),
  );
function combinationScreen(table) {
  const label = say("announces", { name: table.names[turn(table.sheet)] });
  const open = legalBids(table.sheet).map((bid) => bid.split("=")[0]);
  const cells = table.sheet.kind.data.combinations.map((name) =>
    cell(
      words.combinations[name],
      () => {
        const choices = pointsOf(table, name);
        set(table, { combination: name, points: choices.length === 1 ? choices[0] : undefined });
      },
      { disabled: !open.includes(name), "data-first": name === open[0], look: "wide" },
    ),
  );
  return { title: label, lead: scores(table), body: grid(label, 2, cells) };
}
const scores = (table) =>
  el(
    "p",
    { class: "score-totals" },
    table.names.map((_, seat) =>
      el("span", {}, who(table, seat), el("b", {}, points(table.sheet, seat))),
    ),
  );
const pointsOf = ({ sheet }, name) =>
  legalBids(sheet)
    .map((bid) => bid.split("="))
    .filter(([combination]) => combination === name)
    .map(([, number]) => Number(number));
function pointsScreen(table) {
  const choices = pointsOf(table, table.draft.combination);
  const cells = choices.map((number, place) =>
    cell(number, () => set(table, { points: number }), { "data-first": place === 0 }),
  );
  return {
    title: say("how_many_points"),
    lead: saidNode(table),
    body: grid(say("how_many_points"), 6, cells),
    back: drop(table, "combination", "points"),
  };
}
function doubtScreen(table) {
  const { draft, sheet } = table;
  const doubters = (draft.doubters ??= []);
  const toggle = (seat) =>
    set(table, {
      doubters: doubters.includes(seat)
        ? doubters.filter((one) => one !== seat)
        : [...doubters, seat],
    });
  const view = preview(sheet, kniffelTurn({ ...draft, doubters: [] }));
  const foot = doubters.length
    ? primary(say("show_dice"), () => set(table, { shown: true, dice: "" }))
    : [
        outcomeNode(table, view),
        primary(table.sure ?? say("nobody_doubts"), () => table.close(kniffelTurn(draft))),
      ];
  const body = seats(table, say("who_doubts"), toggle, {
    isOpen: (seat) => seat !== turn(sheet),
    mark: (seat) => doubters.includes(seat) && pill(say("doubts"), "pill-star"),
    more: (seat) => ({
      "aria-pressed": String(doubters.includes(seat)),
      "data-first": null,
      "data-again": `d${seat}`,
    }),
  });
  return {
    title: say("who_doubts"),
    lead: saidNode(table),
    body,
    foot,
    back: drop(table, "points", "doubters", "combination"),
  };
}
function diceScreen(table) {
  const { draft } = table;
  const body = faceRow("123456", (face) => {
    draft.dice += face;
    table.redraw(face);
  });
  const back = draft.dice
    ? () => set(table, { dice: draft.dice.slice(0, -1) })
    : drop(table, "shown", "dice");
  return { title: say("which_dice"), lead: [saidNode(table), handLine(draft.dice, 5)], body, back };
}

export const round = (table) => (table.sheet.game.owned ? bluff(table) : kniffel(table));

export const signed = (number) => `${number < 0 ? "−" : "+"}${Math.abs(number)}`;
// The parts of a round that is over, each with the value that it shows: [value, node].
function roundParts({ names }, round) {
  const { moves, bidder, count, revealed } = round;
  if (round.ended) return { ended: [true, say("by_clock")] };
  if (round.forfeit) {
    const leavers = round.forfeit.map((seat) => say("left", { name: names[seat] }));
    return { forfeit: [round.forfeit, leavers.join(", ")] };
  }
  if (round.void) return { void: [true, say("was_void")] };
  if (round.say) return turnParts(names, round);
  if (!moves) {
    const lines = round.losses.map((lost, seat) => [
      seat,
      lost && [lost, `${names[seat]} ${signed(-lost)}`],
    ]);
    return Object.fromEntries(lines.filter(([, part]) => part));
  }
  return {
    bidder: bidder !== undefined && [bidder, names[bidder]],
    bid: [moves.at(-2), bidNode(moves.at(-2))],
    count: count !== undefined && [count, many("counted", count)],
    dice: revealed && [revealed, revealed.map((hand) => handNode(hand, 0))],
  };
}
function turnParts(names, { say: said, doubts = [], dice }) {
  const [name, number] = said.split("=");
  const doubters = doubts.map((seat) => names[seat]).join(", ");
  return {
    say: [said, `${words.combinations[name]} ${number}`],
    doubts: doubts.length > 0 && [[doubts, dice], say("doubted", { names: doubters, dice })],
  };
}
// A round that is over, in one line; what it tells otherwise than a `rival`, another's word of it, is marked.
export function roundNode(table, round, rival) {
  const there = rival ? roundParts(table, rival) : {};
  const isOther = (name, value) => rival && !alike(there[name]?.[0], value);
  const parts = Object.entries(roundParts(table, round)).filter(([, part]) => part);
  const gap = (name, place) => place > 0 && (["bid", "doubts"].includes(name) ? " " : " · ");
  const marked = (name, value, node) => (isOther(name, value) ? el("mark", {}, node) : node);
  return parts.map(([name, [value, node]], place) => [gap(name, place), marked(name, value, node)]);
}
