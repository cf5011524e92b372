// A round of Bluff, or a turn of Lügen-Kniffel, as it is entered: one question after the other,
// each a screen.

/**
 * @import {
 *   BluffSheet, BluffView, Child, Draft, Facts, KniffelSheet, KniffelView, People, Properties,
 *   Screen, Sheet, TableView,
 * } from "../../static_src/types/scorer"
 * @import {
 *   EnteredRound, Fault, FaultValue, Outcome, Preview, Template,
 * } from "../../static_src/types/sheet"
 */

import { alike } from "./outbox.js";
import { legalBids, preview, rulingOf, turn } from "./sheet.js";

/** @type {Facts} */
export const facts = JSON.parse(document.getElementById("facts").textContent ?? "");
export const { words } = facts;

/** @typedef {Record<string, string | number | null | undefined>} Values */

/**
 * @param {string} text
 * @param {Values} values
 */
function fill(text, values) {
  return text.replace(/%\((\w+)\)[sd]/g, (_, name) => String(values[name]));
}

/**
 * Return a sentence in the reader's language.
 * @param {string} name
 * @param {Values} values
 */
export function say(name, values = {}) {
  return fill(/** @type {string} */ (words[name]), values);
}

/**
 * Return a sentence about one or many.
 * @param {string} name
 * @param {number} count
 * @param {Values} values
 */
export function many(name, count, values = {}) {
  const [one, more] = /** @type {[string, string]} */ (words[name]);
  return fill(count === 1 ? one : more, { count, ...values });
}

/**
 * Return the name of an announced combination.
 * @param {string} [name]
 */
const combinationWord = (name = "") => words.combinations[name];

/**
 * Make an element. A property that begins with “on” listens; one that is true has no value; false,
 * null and undefined leave it out.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Properties} properties
 * @param {Child[]} children
 */
export function el(tag, properties = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("on")) {
      const listener = /** @type {EventListener} */ (value);
      node.addEventListener(name.slice(2), listener);
    } else if (value !== false && value !== null && value !== undefined) {
      node.setAttribute(name, value === true ? "" : String(value));
    }
  }
  node.append(...shown(children));
  return node;
}

/**
 * @param {Child[]} children
 * @returns {(Node | string)[]}
 */
function shown(children) {
  return children.flatMap((child) => {
    if (Array.isArray(child)) return shown(child);
    if (child === false || child === null || child === undefined) return [];
    return [child instanceof Node ? child : String(child)];
  });
}

/**
 * Draw a shape of the shapes' file.
 * @param {string} name
 * @param {string} classes
 */
export function shape(name, classes = "") {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", `${facts.shapes}#${name}`);
  svg.setAttribute("class", classes);
  svg.setAttribute("aria-hidden", "true");
  svg.append(use);
  return svg;
}

/**
 * @param {Child} label
 * @param {(() => unknown) | null} onclick
 * @param {string} classes
 * @param {Properties} more
 */
export function button(label, onclick, classes = "btn btn-lg", more = {}) {
  return el("button", { type: "button", class: classes, onclick, ...more }, label);
}

/**
 * Make the button that goes on.
 * @param {Child} label
 * @param {() => unknown} onclick
 * @param {Properties} more
 */
export function primary(label, onclick, more = {}) {
  return button(label, onclick, "btn btn-primary btn-huge", { "data-first": true, ...more });
}

/**
 * Draw a die: a face, “*” for a star, “?” for a hidden one.
 * @param {string} face
 * @param {string} look
 */
function die(face, look = "") {
  /** @type {Record<string, string | undefined>} */
  const special = { "*": "ds", "?": "dh" };
  return shape(special[face] ?? `d${face}`, `die ${look}`);
}

/**
 * Draw the dice of a hand, with hidden ones up to its size.
 * @param {string} dice
 * @param {number} size
 */
function handNode(dice, size) {
  const label = [...dice].map((face) => words.faces[face]).join(", ");
  const missing = Math.max(0, size - dice.length);
  return el(
    "span",
    { class: "dice", role: "img", "aria-label": label },
    [...dice].map((face) => die(face)),
    Array.from({ length: missing }, () => die("?", "hidden-die")),
  );
}

/**
 * Return the count and the face of a bid.
 * @param {string} bid
 */
function partsOf(bid) {
  const [said] = bid.split("/");
  const [count, face] = said.split("x");
  return { count: Number(count), face };
}

/** @param {string} bid */
export function bidWords(bid) {
  const { count, face } = partsOf(bid);
  return many(`bid_${face}`, count);
}

/**
 * @param {string} bid
 * @param {string} size
 */
export function bidNode(bid, size = "") {
  const { count, face } = partsOf(bid);
  const properties = { class: `bid ${size}`, role: "img", "aria-label": bidWords(bid) };
  return el("span", properties, count, el("i", {}, "×"), die(face, "red"));
}

const SEATS = ["seat", "bidder", "challenger", "opener", "roller"];

/**
 * Return a fault in words; seats are called by their names.
 * @param {string[]} names
 * @param {Template} fault
 * @returns {string}
 */
function sentence(names, { message, values = {} }) {
  const template = words.faults[message] ?? message;
  return template.replace(/\{(\w+)\}/g, (_, name) => valueWords(names, name, values[name]));
}

/**
 * @param {string[]} names
 * @param {string} name
 * @param {FaultValue} value
 */
function valueWords(names, name, value) {
  if (Array.isArray(value)) return value.join(", ");
  if (typeof value === "object" && value) return sentence(names, /** @type {Template} */ (value));
  const isSeat = SEATS.includes(name) && typeof value === "number";
  return (isSeat && names[value]) || String(value);
}

/** @param {string} number */
export function ruling(number) {
  return el("a", { href: `${facts.docs}#${number.toLowerCase()}`, target: "_blank" }, number);
}

/**
 * Show a fault in words, with the rulings that it rests on.
 * @param {{ sheet: Sheet, names: string[] }} table
 * @param {Fault} fault
 */
export function faultNode({ sheet, names }, fault) {
  const rulings = rulingOf(sheet, fault.code).map((number) => [ruling(number), " "]);
  const text = el("span", {}, sentence(names, fault), " ", rulings);
  return el("p", { class: "note note-warning" }, text);
}

/**
 * Return what comes of a round, a line each: who loses or gains, who is out, who goes on.
 * @param {{ names: string[] }} table
 * @param {Outcome} view
 */
export function outcome({ names }, view) {
  const changes = (view.losses ?? []).map((number, seat) => lossWords(names[seat], number));
  const gains = (view.gains ?? []).map((number, seat) => gainWords(names[seat], number));
  const out = view.out.map((seat) => say("is_out", { name: names[seat] }));
  return [...changes, ...gains, ...out, nextWords(names, view)].filter(Boolean);
}

/**
 * @param {string} name
 * @param {number} number of dice that are lost
 */
function lossWords(name, number) {
  if (!number) return "";
  return many(number > 0 ? "loses" : "gets", Math.abs(number), { name });
}

/**
 * @param {string} name
 * @param {number} number of points
 */
function gainWords(name, number) {
  if (!number) return "";
  return say(number > 0 ? "gains" : "drops", { name, count: Math.abs(number) });
}

/**
 * @param {string[]} names
 * @param {Outcome} view
 */
function nextWords(names, { over, opener, gains }) {
  if (over) return say("is_over");
  if (opener === null) return say("opener_unknown");
  return say(gains ? "rolls_next" : "opens_next", { name: names[opener] });
}

/**
 * Show what comes of a round as a list; lines that don't come of a `rival` are marked.
 * @param {{ names: string[] }} table
 * @param {Outcome} view
 * @param {Preview} [rival]
 */
export function outcomeNode(table, view, rival) {
  const others = rival && !rival.fault ? outcome(table, rival) : null;
  const lines = outcome(table, view).map((line) => {
    const isOther = others && !others.includes(line);
    return el("li", {}, isOther ? el("mark", {}, line) : line);
  });
  return el("ul", { class: "score-outcome" }, lines);
}

/**
 * Show what would come of a round, or why it can't stand.
 * @param {{ sheet: Sheet, names: string[] }} table
 * @param {Preview} view
 */
export function previewNode(table, view) {
  return view.fault ? faultNode(table, view.fault) : outcomeNode(table, view);
}

/**
 * Make a grid of cells. One takes the focus; arrow keys lead to the others (scorer.js).
 * @param {string} label
 * @param {number} columns
 * @param {Child[]} cells
 * @param {string} classes
 */
export function grid(label, columns, cells, classes = "") {
  const properties = { class: `score-grid ${classes}`, role: "group", "aria-label": label };
  return el("div", { ...properties, "data-columns": columns }, cells);
}

/**
 * @param {Child} content
 * @param {() => unknown} onclick
 * @param {Properties & { look?: string }} more
 */
function cell(content, onclick, { look = "", ...more } = {}) {
  const properties = { type: "button", class: `score-cell ${look}`, onclick, tabindex: "-1" };
  return el("button", { ...properties, ...more }, content);
}

/**
 * Return the seats that still play.
 * @param {Sheet} sheet
 */
function liveSeats({ game }) {
  if (!game.owned) return game.playing;
  const { owned } = game;
  return [...owned.keys()].filter((seat) => owned[seat]);
}

/**
 * Return the next seat that still plays.
 * @param {Sheet} sheet
 * @param {number} seat
 */
function after(sheet, seat) {
  const live = liveSeats(sheet);
  return live.find((other) => other > seat) ?? live[0];
}

/**
 * Return how many dice there are on the table.
 * @param {BluffSheet} sheet
 */
const total = ({ game }) => game.owned.reduce((sum, dice) => sum + dice, 0);

/**
 * Return the points of a seat of Lügen-Kniffel.
 * @param {KniffelSheet} sheet
 * @param {number} seat
 */
function points({ game, kind: { data } }, seat) {
  const sumOf = (/** @type {string[]} */ names) =>
    names.reduce((all, name) => all + (game.sheets[seat][name][0] ?? 0), 0);
  const bonus = sumOf(data.upper) >= data.bonus_from ? data.bonus : 0;
  return sumOf(data.combinations) + bonus;
}

/**
 * @param {TableView} table
 * @returns {table is BluffView}
 */
export const isBluff = (table) => Boolean(table.sheet.game.owned);

/**
 * Show what a seat has: its dice, drawn up to a number of them, or its points.
 * @param {TableView} table
 * @param {number} seat
 * @param {number} most
 * @returns {Child}
 */
function seatHas(table, seat, most = 6) {
  const { sheet } = table;
  if (!liveSeats(sheet).includes(seat)) {
    return [shape("cup-0", "cup"), el("span", {}, say("out"))];
  }
  if (!isBluff(table)) {
    const number = points(/** @type {KniffelSheet} */ (sheet), seat);
    return el("span", {}, many("points", number));
  }
  const dice = table.sheet.game.owned[seat];
  const one = () => shape("db", "die");
  const drawn = dice > most ? [String(dice), one()] : Array.from({ length: dice }, one);
  const spoken = el("span", { class: "sr-only" }, many("dice", dice));
  return [el("span", { class: "dice" }, drawn), spoken];
}

/**
 * @param {People} people
 * @param {number} seat
 */
export function who({ names, avatars }, seat) {
  return el("span", { class: "who" }, avatars[seat]?.cloneNode(true), el("span", {}, names[seat]));
}

/**
 * Show seats as buttons.
 * @param {TableView} table
 * @param {string} label
 * @param {(seat: number) => unknown} pick
 * @param {object} options
 * @param {(seat: number) => boolean} [options.isOpen] whether a seat can be picked
 * @param {(seat: number) => Child} [options.mark] says something of a seat
 * @param {(seat: number) => Properties} [options.more] attributes of its button
 */
export function seats(table, label, pick, { isOpen = () => true, mark, more } = {}) {
  const live = liveSeats(table.sheet);
  const canPick = (/** @type {number} */ seat) => isOpen(seat) && live.includes(seat);
  const first = table.names.findIndex((_, seat) => canPick(seat));
  const buttons = table.names.map((_, seat) => {
    const properties = {
      type: "button",
      class: "score-seat",
      "data-first": seat === first,
      onclick: () => pick(seat),
      disabled: !canPick(seat),
      ...more?.(seat),
    };
    const has = el("span", { class: "score-has" }, seatHas(table, seat));
    return el("button", properties, who(table, seat), mark?.(seat), has);
  });
  const properties = { class: "score-seats", role: "group", "aria-label": label };
  return el("div", { ...properties, "data-columns": 1 }, buttons);
}

/**
 * @param {string} text
 * @param {string} look
 */
const pill = (text, look = "") => el("span", { class: `pill ${look}` }, text);

/**
 * Take an answer, and go on.
 * @param {TableView} table
 * @param {Draft} answer
 */
function set(table, answer) {
  Object.assign(table.draft, answer);
  table.redraw();
}

/**
 * Return what takes answers back.
 * @param {TableView} table
 * @param {(keyof Draft)[]} names
 */
function drop(table, ...names) {
  return () => {
    for (const name of names) delete table.draft[name];
    table.redraw();
  };
}

/**
 * Show the bids that can be made, a row for each count; the likely one comes into view. A bid above
 * the dice on the table is legal (B2), but seldom meant: it is grey, and confirmed once more.
 * @param {BluffView} table
 * @param {string} label
 * @param {string[]} legal
 * @param {(bid: string) => unknown} pick
 */
function bidGrid(table, label, legal, pick) {
  const { sheet } = table;
  const { bids, faces: allFaces } = sheet.kind.data;
  const dice = total(sheet);
  const faces = [...new Set(allFaces)];
  const counts = new Set(legal.map((bid) => partsOf(bid).count));
  const rows = [...counts].sort((one, other) => one - other);
  const enough = legal.find((bid) => partsOf(bid).count >= Math.round(dice / 3));
  const likely = enough ?? legal[0];

  const bidCell = (/** @type {number} */ count, /** @type {string} */ face) => {
    const bid = `${count}x${face}`;
    if (!bids.includes(bid)) return el("span");
    const isHigh = count > dice;
    const starred = face === "*" ? "star" : "";
    const choose = () => (isHigh ? set(table, { high: bid }) : pick(bid));
    return cell(count, choose, {
      "aria-label": bidWords(bid),
      disabled: !legal.includes(bid),
      "data-first": bid === likely,
      look: isHigh ? "high" : starred,
    });
  };

  const cells = rows.flatMap((count) => faces.map((face) => bidCell(count, face)));
  const head = el(
    "div",
    { class: "score-grid score-faces", "data-columns": 6, "aria-hidden": "true" },
    faces.map((face) => die(face)),
  );
  return [head, grid(label, 6, cells)];
}

/**
 * Ask about a bid above the dice on the table: was it really said?
 * @param {BluffView} table
 * @param {string} high the bid
 * @param {Child} lead
 * @param {(bid: string) => unknown} pick
 * @returns {Screen}
 */
function highBidScreen(table, high, lead, pick) {
  const confirm = () => {
    delete table.draft.high;
    pick(high);
  };
  const hint = [many("high_bid", total(table.sheet)), " ", say("ruling"), " ", ruling("B2")];
  const body = el("p", {}, bidNode(high, "score-bid"));
  const foot = primary(say("was_bid"), confirm);
  return { title: say("really_bid"), hint, lead, body, foot, back: drop(table, "high") };
}

/**
 * Return the round as it would be sent.
 * @param {BluffView} table
 * @param {number | undefined} count
 * @returns {EnteredRound}
 */
function bluffRound(table, count = table.draft.count) {
  const { sheet, draft, depth } = table;
  if (depth === "losses") return { losses: draft.losses };
  const known = openerOf(table);
  const opener = sheet.game.opener === null && known !== null ? { opener: known } : {};
  if (depth === "last") {
    const bidder = draft.bidder ?? 0;
    const moves = [draft.bid ?? "", "!"];
    return { moves, bidder, challenger: after(sheet, bidder), count, ...opener };
  }
  const notes = sheet.notes.map(({ bid }) => bid ?? "");
  const told = depth === "dice" ? { revealed: draft.hands } : { count };
  return { moves: [...notes, "!"], ...told, ...opener };
}

/**
 * Return who opens; null if nobody has said so yet.
 * @param {BluffView} table
 */
function openerOf({ sheet: { game, notes }, draft }) {
  const only = game.openers.length === 1 ? game.openers[0] : null;
  return game.opener ?? notes[0]?.seat ?? draft.opener ?? only;
}

/**
 * Return the next question of a round of Bluff.
 * @param {BluffView} table
 * @returns {Screen}
 */
function bluff(table) {
  const { sheet, draft, depth } = table;
  if (depth === "losses") return lossesScreen(table);
  const opener = openerOf(table);
  if (opener === null) return openerScreen(table);
  if (depth === "last") {
    if (draft.bidder === undefined) return bidderScreen(table, opener);
    if (draft.bid === undefined) return lastBidScreen(table, opener, draft.bidder);
  } else {
    if (draft.showing) return showScreen(table);
    if (!draft.challenged) return bidsScreen(table, opener);
  }
  if (depth === "dice" && !isTold(sheet, draft.hands)) return handScreen(table);
  if (depth !== "dice" && draft.count === undefined) return countScreen(table);
  const back = drop(table, depth === "dice" ? "hands" : "count");
  return confirmScreen(table, bluffRound(table), betNode(table), back);
}

/**
 * @param {BluffView} table
 * @returns {Screen}
 */
function openerScreen(table) {
  const isOpen = (/** @type {number} */ seat) => table.sheet.game.openers.includes(seat);
  const pick = (/** @type {number} */ opener) => set(table, { opener });
  const body = seats(table, say("who_opened"), pick, { isOpen });
  return { title: say("who_opened"), hint: say("opener_untold"), body };
}

/**
 * @param {BluffView} table
 * @param {number} opener
 * @returns {Screen}
 */
function bidderScreen(table, opener) {
  const pick = (/** @type {number} */ bidder) => set(table, { bidder });
  const mark = (/** @type {number} */ seat) => seat === opener && pill(say("opens"), "pill-gold");
  return { title: say("who_bid"), body: seats(table, say("who_bid"), pick, { mark }) };
}

/**
 * @param {BluffView} table
 * @param {number} opener
 * @param {number} bidder
 * @returns {Screen}
 */
function lastBidScreen(table, opener, bidder) {
  const { sheet, draft } = table;
  let place = 0; // each seat before the bidder has bid something lower
  for (let seat = opener; seat !== bidder; seat = after(sheet, seat)) place += 1;
  const legal = legalBids(sheet).filter((bid) => sheet.kind.data.bids.indexOf(bid) >= place);
  const label = say("what_bid", { name: table.names[bidder] });
  const lead = betNode(table);
  const pick = (/** @type {string} */ bid) => set(table, { bid });
  if (draft.high) return highBidScreen(table, draft.high, lead, pick);
  const body = bidGrid(table, label, legal, pick);
  return { title: label, lead, body, back: drop(table, "bidder") };
}

/**
 * Return who bid, and what; of a round that is told by its bids the last one.
 * @param {BluffView} table
 * @returns {{ bidder?: number, bid?: string }}
 */
function betOf({ sheet, draft, depth }) {
  if (depth === "last") return { bidder: draft.bidder, bid: draft.bid };
  const last = sheet.notes.at(-1);
  return { bidder: last?.seat, bid: last?.bid };
}

/**
 * Show who bid and who challenged, and the bid as large as there is room.
 * @param {BluffView} table
 */
function betNode(table) {
  const { sheet, draft, depth } = table;
  const { bidder, bid } = betOf(table);
  if (bidder === undefined) return null;
  const isChallenged = depth === "last" || draft.challenged;
  const challenges = () =>
    el("p", {}, who(table, after(sheet, bidder)), pill(say("challenges"), "pill-star"));
  return el(
    "div",
    { class: "score-bet" },
    el("p", {}, who(table, bidder), pill(say("bid"))),
    bid ? el("p", {}, bidNode(bid, "score-bid")) : null,
    isChallenged ? challenges() : null,
  );
}

/**
 * Return how a count compares with a bid, as a class.
 * @param {number} count
 * @param {number} bid
 */
function lookOfCount(count, bid) {
  if (count === bid) return "exact";
  return count < bid ? "fewer" : "";
}

/**
 * @param {BluffView} table
 * @returns {Screen}
 */
function countScreen(table) {
  const { depth, sheet } = table;
  const { bidder = 0, bid = "" } = betOf(table);
  const number = partsOf(bid).count;
  const cells = Array.from({ length: total(sheet) + 1 }, (_, count) =>
    cell(count, () => set(table, { count }), {
      "aria-label": many("counted", count),
      "data-first": count === number,
      look: lookOfCount(count, number),
      disabled: Boolean(preview(sheet, bluffRound(table, count)).fault),
    }),
  );
  const challenger = table.names[after(sheet, bidder)];
  const hint = say("count_hint", { bidder: table.names[bidder], challenger });
  const body = grid(say("how_many"), 6, cells);
  const back = drop(table, depth === "last" ? "bid" : "challenged");
  return { title: say("how_many"), hint, lead: betNode(table), body, back };
}

/**
 * Show what comes of a round before it is written down.
 * @param {TableView} table
 * @param {EnteredRound} value
 * @param {Child} lead
 * @param {() => void} back
 * @returns {Screen}
 */
function confirmScreen(table, value, lead, back) {
  const view = preview(table.sheet, value);
  const body = previewNode(table, view);
  const foot = !view.fault && primary(table.sure || say("done"), () => table.close(value));
  return { title: say("so_it_was"), lead, body, back, foot };
}

/**
 * Show a seat with the buttons that give and take dice lost.
 * @param {BluffView} table
 * @param {number[]} losses
 * @param {number} seat
 */
function lossLine(table, losses, seat) {
  const { sheet, names } = table;
  const name = names[seat];
  const owned = sheet.game.owned[seat];
  const least = table.settings.exact === "giveaway" ? -1 : 0;
  const step = (
    /** @type {number} */ by,
    /** @type {string} */ label,
    /** @type {string} */ sign,
  ) => {
    const again = `${seat}${by}`;
    const next = losses[seat] + by;
    const take = () => {
      losses[seat] = next;
      table.redraw(again);
    };
    const disabled = next < least || next > owned;
    const more = { "aria-label": label, "data-again": again, disabled };
    return button(sign, take, "score-cell score-step", more);
  };
  return el(
    "li",
    { class: "score-seat", hidden: !owned },
    who(table, seat),
    el("span", { class: "score-has" }, seatHas(table, seat, 0)),
    step(-1, say("one_less", { name }), "−"),
    el("output", {}, losses[seat] ? signed(-losses[seat]) : "0"),
    step(1, say("one_more", { name }), "+"),
  );
}

/**
 * @param {BluffView} table
 * @returns {Screen}
 */
function lossesScreen(table) {
  const { sheet, draft, names } = table;
  draft.losses ??= names.map(() => 0);
  const { losses } = draft;
  const lines = names.map((_, seat) => lossLine(table, losses, seat));
  const view = losses.some(Boolean) ? preview(sheet, { losses }) : null;
  const disabled = !view || Boolean(view.fault);
  const done = () => table.close({ losses });
  const foot = [
    view && previewNode(table, view),
    primary(table.sure || say("done"), done, { disabled, "data-again": "done" }),
  ];
  return { title: say("who_lost"), body: el("ul", { class: "score-seats" }, lines), foot };
}

/**
 * @param {BluffView} table
 * @param {number} opener
 * @returns {Screen}
 */
function bidsScreen(table, opener) {
  const { sheet, draft } = table;
  const isBegun = sheet.notes.length > 0;
  const seat = isBegun ? (turn(sheet) ?? opener) : opener;
  const label = say(isBegun ? "bids_now" : "opens_now", { name: table.names[seat] });
  const laid = draft.show ? `/${draft.show}` : "";
  const pick = (/** @type {string} */ bid) => {
    delete draft.show;
    table.note({ bid: bid + laid, seat });
  };
  const lead = betNode(table);
  if (draft.high) return highBidScreen(table, draft.high, lead, pick);
  const layOut = () => set(table, { showing: true, show: "" });
  const challenge = () => set(table, { challenged: true });
  const shownDice = draft.show ? [say("laid_out"), handNode(draft.show, 0)] : say("lay_out");
  const body = bidGrid(table, label, legalBids(sheet), pick);
  const foot = [
    table.settings.reroll && button(shownDice, layOut),
    isBegun && button(say("cups_up"), challenge, "btn btn-error btn-huge"),
  ];
  return { title: label, lead, body, foot };
}

/**
 * Show faces to tap.
 * @param {string} faces
 * @param {(face: string) => unknown} pick
 */
function faceRow(faces, pick) {
  const cells = [...faces].map((face, place) => {
    const label = words.faces[face];
    const more = { "aria-label": label, "data-first": place === 0, "data-again": face };
    return cell(die(face), () => pick(face), more);
  });
  return grid(say("faces_label"), 6, cells, "dice-row");
}

/**
 * @param {string} dice
 * @param {number} size
 * @param {Child[]} more
 */
function handLine(dice, size, ...more) {
  return el("p", { class: "score-hand" }, handNode(dice, size), more);
}

/**
 * @param {BluffView} table
 * @returns {Screen}
 */
function showScreen(table) {
  const { draft } = table;
  const { show = "" } = draft;
  const pick = (/** @type {string} */ face) => {
    draft.show = show + face;
    table.redraw(face);
  };
  const foot = primary(say("done"), drop(table, "showing"), { "data-first": null });
  const back = drop(table, "showing", "show");
  return {
    title: say("lay_out"),
    lead: handLine(show, 0),
    body: faceRow("12345*", pick),
    foot,
    back,
  };
}

/**
 * Return whether all hands are told.
 * @param {BluffSheet} sheet
 * @param {string[] | undefined} hands
 */
function isTold({ game }, hands) {
  return Boolean(hands?.every((hand, seat) => hand.length === game.owned[seat]));
}

/**
 * @param {BluffView} table
 * @returns {Screen}
 */
function handScreen(table) {
  const { sheet, draft, names } = table;
  draft.hands ??= names.map(() => "");
  const { hands } = draft;
  const { owned } = sheet.game;
  const seat = hands.findIndex((hand, place) => hand.length < owned[place]);
  const last = hands.findLastIndex((hand) => hand);
  const put = (/** @type {string} */ face) => {
    hands[seat] += face;
    table.redraw(face);
  };
  const takeBack = () => {
    hands[last] = hands[last].slice(0, -1);
    table.redraw();
  };
  const back = last < 0 ? drop(table, "challenged", "hands") : takeBack;
  const title = say("whose_dice", { name: names[seat] });
  const lead = [betNode(table), handLine(hands[seat], owned[seat])];
  return { title, lead, body: faceRow("12345*", put), back };
}

/**
 * Return the next question of a turn of Lügen-Kniffel: the roller announces a combination and its
 * points; others doubt, and then dice are shown.
 * @param {KniffelView} table
 * @returns {Screen}
 */
function kniffel(table) {
  const { draft, settings } = table;
  const { combination, points: announced, dice = "" } = draft;
  const { data } = table.sheet.kind;
  if (combination === undefined) return combinationScreen(table);
  if (announced === undefined) return pointsScreen(table, combination);
  if (!draft.shown) return doubtScreen(table);
  if (dice.length < 5) return diceScreen(table);
  const sorted = [...dice].sort().join("");
  const score = data.scores[sorted]?.[data.combinations.indexOf(combination)] ?? 0;
  const isLie = settings.truth === "at_least" ? score < announced : score !== announced;
  const verdict = isLie ? pill(say("lie"), "pill-star") : pill(say("true"), "pill-win");
  const lead = [saidNode(table), handLine(dice, 5, verdict)];
  const back = () => set(table, { dice: dice.slice(0, -1) });
  return confirmScreen(table, kniffelTurn(draft), lead, back);
}

/**
 * Return the turn as it would be sent.
 * @param {Draft} draft
 * @returns {EnteredRound}
 */
function kniffelTurn({ combination, points: number, doubters = [], dice }) {
  const said = `${combination}=${number}`;
  if (!doubters.length) return { say: said };
  return { say: said, doubts: [...doubters].sort((one, other) => one - other), dice };
}

/**
 * Return whose turn it is in a game that isn't over.
 * @param {KniffelView} table
 */
const rollerOf = ({ sheet }) => turn(sheet) ?? 0;

/** @param {KniffelView} table */
function saidNode(table) {
  const { combination, points: number = "" } = table.draft;
  const said = el("strong", {}, `${combinationWord(combination)} ${number}`);
  return el("p", { class: "score-bet" }, who(table, rollerOf(table)), said);
}

/**
 * @param {KniffelView} table
 * @returns {Screen}
 */
function combinationScreen(table) {
  const title = say("announces", { name: table.names[rollerOf(table)] });
  const open = legalBids(table.sheet).map((bid) => bid.split("=")[0]);
  const choose = (/** @type {string} */ combination) => {
    const choices = pointsOf(table, combination);
    set(table, { combination, points: choices.length === 1 ? choices[0] : undefined });
  };
  const cells = table.sheet.kind.data.combinations.map((name) => {
    const more = { disabled: !open.includes(name), "data-first": name === open[0], look: "wide" };
    return cell(combinationWord(name), () => choose(name), more);
  });
  return { title, lead: scores(table), body: grid(title, 2, cells) };
}

/** @param {KniffelView} table */
function scores(table) {
  const totals = table.names.map((_, seat) =>
    el("span", {}, who(table, seat), el("b", {}, points(table.sheet, seat))),
  );
  return el("p", { class: "score-totals" }, totals);
}

/**
 * Return the points that can be announced in a combination.
 * @param {KniffelView} table
 * @param {string} name
 */
function pointsOf({ sheet }, name) {
  const bids = legalBids(sheet).map((bid) => bid.split("="));
  return bids.filter(([combination]) => combination === name).map(([, number]) => Number(number));
}

/**
 * @param {KniffelView} table
 * @param {string} combination
 * @returns {Screen}
 */
function pointsScreen(table, combination) {
  const cells = pointsOf(table, combination).map((number, place) =>
    cell(number, () => set(table, { points: number }), { "data-first": place === 0 }),
  );
  const body = grid(say("how_many_points"), 6, cells);
  const back = drop(table, "combination", "points");
  return { title: say("how_many_points"), lead: saidNode(table), body, back };
}

/**
 * @param {KniffelView} table
 * @returns {Screen}
 */
function doubtScreen(table) {
  const { draft } = table;
  const { doubters = [] } = draft;
  const isDoubter = (/** @type {number} */ seat) => doubters.includes(seat);
  const toggle = (/** @type {number} */ seat) => {
    const others = doubters.filter((one) => one !== seat);
    set(table, { doubters: isDoubter(seat) ? others : [...doubters, seat] });
  };
  const body = seats(table, say("who_doubts"), toggle, {
    isOpen: (seat) => seat !== rollerOf(table),
    mark: (seat) => isDoubter(seat) && pill(say("doubts"), "pill-star"),
    more: (seat) => ({
      "aria-pressed": String(isDoubter(seat)),
      "data-first": null,
      "data-again": `d${seat}`,
    }),
  });
  const foot = doubters.length ? showDiceButton(table) : nobodyDoubts(table);
  const back = drop(table, "points", "doubters", "combination");
  return { title: say("who_doubts"), lead: saidNode(table), body, foot, back };
}

/** @param {KniffelView} table */
function showDiceButton(table) {
  return primary(say("show_dice"), () => set(table, { shown: true, dice: "" }));
}

/** @param {KniffelView} table */
function nobodyDoubts(table) {
  const value = kniffelTurn(table.draft);
  const label = table.sure || say("nobody_doubts");
  const view = preview(table.sheet, value);
  return [previewNode(table, view), primary(label, () => table.close(value))];
}

/**
 * @param {KniffelView} table
 * @returns {Screen}
 */
function diceScreen(table) {
  const { draft } = table;
  const { dice = "" } = draft;
  const put = (/** @type {string} */ face) => {
    draft.dice = dice + face;
    table.redraw(face);
  };
  const takeBack = () => set(table, { dice: dice.slice(0, -1) });
  const back = dice ? takeBack : drop(table, "shown", "dice");
  const lead = [saidNode(table), handLine(dice, 5)];
  return { title: say("which_dice"), lead, body: faceRow("123456", put), back };
}

/**
 * Return the next question of a round.
 * @param {TableView} table
 * @returns {Screen}
 */
export function round(table) {
  return isBluff(table) ? bluff(table) : kniffel(/** @type {KniffelView} */ (table));
}

/** @param {number} number */
export const signed = (number) => `${number < 0 ? "−" : "+"}${Math.abs(number)}`;

/**
 * What a round says: a value, by which it is compared, and how it is shown.
 * @typedef {[value: unknown, node: Child]} Part
 */

/**
 * Return the parts of a round that is over, by name.
 * @param {{ names: string[] }} table
 * @param {EnteredRound} round
 * @returns {Record<string, Part | undefined>}
 */
function roundParts({ names }, round) {
  const { ended, forfeit, losses = [], moves } = round;
  if (ended) return { ended: [true, say("by_clock")] };
  if (forfeit) {
    const leavers = forfeit.map((seat) => say("left", { name: names[seat] }));
    return { forfeit: [forfeit, leavers.join(", ")] };
  }
  if (round.void) return { void: [true, say("was_void")] };
  if (round.say) return turnParts(names, round, round.say);
  if (moves) return betParts(names, round, moves);
  const lost = [...losses.keys()].filter((seat) => losses[seat]);
  return Object.fromEntries(lost.map((seat) => [seat, lossPart(names[seat], losses[seat])]));
}

/**
 * @param {string} name
 * @param {number} lost
 * @returns {Part}
 */
const lossPart = (name, lost) => [lost, `${name} ${signed(-lost)}`];

/**
 * @param {string[]} names
 * @param {EnteredRound} round
 * @param {string[]} moves
 * @returns {Record<string, Part | undefined>}
 */
function betParts(names, { bidder, count, revealed }, moves) {
  const bid = moves.at(-2) ?? "";
  const hands = revealed?.map((hand) => handNode(hand, 0));
  return {
    bidder: bidder === undefined ? undefined : [bidder, names[bidder]],
    bid: [bid, bidNode(bid)],
    count: count === undefined ? undefined : [count, many("counted", count)],
    dice: revealed && [revealed, hands],
  };
}

/**
 * @param {string[]} names
 * @param {EnteredRound} turn
 * @param {string} said
 * @returns {Record<string, Part | undefined>}
 */
function turnParts(names, { doubts = [], dice }, said) {
  const [name, number] = said.split("=");
  const doubters = doubts.map((seat) => names[seat]).join(", ");
  /** @type {Part} */
  const doubted = [[doubts, dice], say("doubted", { names: doubters, dice })];
  return {
    say: [said, `${combinationWord(name)} ${number}`],
    doubts: doubts.length ? doubted : undefined,
  };
}

/**
 * Show a round that is over in one line. What it tells otherwise than a `rival`, somebody else's
 * word of it, is marked.
 * @param {{ names: string[] }} table
 * @param {EnteredRound} round
 * @param {EnteredRound} [rival]
 * @returns {Child}
 */
export function roundNode(table, round, rival) {
  const theirs = rival ? roundParts(table, rival) : {};
  const parts = Object.entries(roundParts(table, round));
  const nodes = [];
  for (const [name, part] of parts) {
    if (!part) continue;
    const [value, node] = part;
    const isOther = rival && !alike(theirs[name]?.[0], value);
    const gap = ["bid", "doubts"].includes(name) ? " " : " · ";
    nodes.push([nodes.length > 0 && gap, isOther ? el("mark", {}, node) : node]);
  }
  return nodes;
}
