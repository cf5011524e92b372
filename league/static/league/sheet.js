// Folds the entries of a sheet as the engine does (engine/sheet), for a phone that keeps score
// without network.
//   const sheet = begin(header, rules);  // header: { game, rules, seats, opener }; see rules.json
//   const fault = sheet.apply({ act: "close", value: { … } });  // null if the entry stands
// A fault has the engine's code and path, its English template, and the values that sentence()
// fills in.

/**
 * @import {
 *   Act, Announcement, BluffData, BluffGame, BluffNote, BluffRound, BluffSettings, Difference,
 *   Ending, Fault, FaultValues, Field, Header, Kind, KniffelData, KniffelGame, KniffelNote,
 *   KniffelSettings, KniffelTurn, LastRound, Level, Move, Note, Preview, Reader, Round, Rules,
 *   SheetKind, SheetState, Template,
 * } from "../../static_src/types/sheet"
 */
/** @typedef {Record<string, unknown>} JsonObject */
/** @typedef {[least: number, most: number]} Range */

const CLOCK = "clock";
/** @type {Range} */
const SAFE = [-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
const ONE_LEFT = "one seat was left: that ended the game, not the clock";
const IS_OUT = "seat {seat} is out and can't bid";
const TOO_MANY_MOVES = "a game can have at most {most} moves";
const OPENER_MISSING = "is missing: the round before gives only its losses, not who opens";

class Refused {
  /** @param {Fault} fault */
  constructor(fault) {
    this.fault = fault;
  }
}

/**
 * Refuse an entry.
 * @param {string} code
 * @param {string} message
 * @param {string | null} path
 * @param {FaultValues} values
 * @returns {never}
 */
function refuse(code, message, path = null, values = {}) {
  throw new Refused({ code, message, path, values });
}

/**
 * Refuse a value that isn't written as it has to be.
 * @param {string} path
 * @param {string} message
 * @param {FaultValues} values
 * @returns {never}
 */
function refuseBad(path, message, values = {}) {
  refuse("bad_record", message, path, values);
}

/**
 * Return the fault with which a step is refused; null if it isn't.
 * @param {() => void} step
 */
function attempt(step) {
  try {
    step();
    return null;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return error.fault;
  }
}

/**
 * @param {object} value
 * @param {string} key
 */
const has = (value, key) => Object.hasOwn(value, key);

/** @param {number[]} numbers */
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

/** @param {number[]} numbers */
const unique = (numbers) => [...new Set(numbers)].sort((one, other) => one - other);

/** @param {number} size */
const numbersTo = (size) => [...Array(size).keys()];

/**
 * @param {unknown} value
 * @returns {value is JsonObject}
 */
function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** @param {unknown} value */
const textOf = (value) => (typeof value === "string" ? value : "");

/**
 * Split a text at the first mark; the second part is null if there is none.
 * @param {string} text
 * @param {string} mark
 * @returns {[string, string | null]}
 */
function split(text, mark) {
  const at = text.indexOf(mark);
  if (at < 0) return [text, null];
  return [text.slice(0, at), text.slice(at + 1)];
}

const LONGEST = 40; // signs of a quoted text
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u;
/** @type {Record<string, string | undefined>} */
const ESCAPES = { "\n": "\\n", "\r": "\\r", "\t": "\\t", "\\": "\\\\" };

/**
 * Return a text for use in a message or a path: short, and all of its signs can be seen.
 * @param {string} text
 */
function quote(text) {
  const signs = [...text];
  const short = signs.length <= LONGEST ? signs : [...signs.slice(0, LONGEST - 1), "…"];
  const words = short.join("");
  return UNSEEN.test(words) ? short.map(escaped).join("") : words;
}

/** @param {string} sign */
function escaped(sign) {
  const known = ESCAPES[sign];
  if (known) return known;
  const code = sign.codePointAt(0) ?? 0;
  if (code >= 32 && code < 127) return sign;
  const digits = code.toString(16);
  if (code < 0x100) return `\\x${digits.padStart(2, "0")}`;
  if (code < 0x10000) return `\\u${digits.padStart(4, "0")}`;
  return `\\U${digits.padStart(8, "0")}`;
}

// Readers of JSON: each names the path of what it refuses.

/**
 * Read a key of an object; null if the object doesn't have it.
 * @template Value
 * @param {JsonObject} value
 * @param {string} key
 * @param {string} path
 * @param {Reader<Value>} reader
 * @returns {Value | null}
 */
function field(value, key, path, reader) {
  return has(value, key) ? reader(value[key], `${path}.${key}`) : null;
}

/**
 * @param {JsonObject} value
 * @param {string} path
 * @param {string[]} keys
 */
function requireKeys(value, path, keys) {
  for (const key of keys) {
    if (!has(value, key)) refuseBad(`${path}.${key}`, "is missing");
  }
}

/**
 * Return an object that has all required keys, and of the others at most the optional ones.
 * @param {unknown} value
 * @param {string} path
 * @param {string[]} required
 * @param {string[]} optional
 */
function members(value, path, required, optional = []) {
  if (!isObject(value)) refuseBad(path, "must be an object");
  const known = [...required, ...optional];
  const strange = Object.keys(value).find((key) => !known.includes(key));
  if (strange !== undefined) {
    const key = quote(strange);
    refuse("unknown_key", "“{key}” isn't a key here", `${path}.${key}`, { key });
  }
  requireKeys(value, path, required);
  return value;
}

/**
 * @param {unknown} value
 * @param {string} path
 * @param {number} least entries
 * @param {number} most entries
 * @returns {unknown[]}
 */
function items(value, path, least = 0, most = Infinity) {
  if (!Array.isArray(value)) refuseBad(path, "must be a list");
  const given = value.length;
  if (given < least || given > most) {
    const range = { message: "{least} to {most}", values: { least, most } };
    const wanted = least === most ? String(least) : range;
    refuseBad(path, "must have {wanted} entries, not {given}", { wanted, given });
  }
  return value;
}

/**
 * @param {unknown} value
 * @param {string} path
 * @param {Range} range
 * @returns {number}
 */
function whole(value, path, [least, most] = SAFE) {
  if (typeof value !== "number" || !Number.isInteger(value)) {
    refuseBad(path, "must be a whole number");
  }
  if (value < least || value > most) {
    refuseBad(path, "must be from {least} to {most}", { least, most });
  }
  return value;
}

/**
 * @param {unknown} value
 * @param {string} path
 * @param {Range} range of each number
 * @param {[least?: number, most?: number]} size how many numbers
 */
function wholes(value, path, range = SAFE, ...size) {
  return items(value, path, ...size).map((one, place) => whole(one, `${path}[${place}]`, range));
}

/**
 * @param {unknown} value
 * @param {string} path
 * @returns {string}
 */
function text(value, path) {
  if (typeof value !== "string") refuseBad(path, "must be a text");
  return value;
}

/**
 * @param {unknown} value
 * @param {string} path
 * @param {readonly string[]} choices
 */
function oneOf(value, path, choices) {
  const choice = choices.find((one) => one === value);
  if (choice === undefined) {
    refuseBad(path, "must be one of {choices}", { choices: choices.join(", ") });
  }
  return choice;
}

/** @type {Reader<string>} */
const ended = (value, path) => oneOf(value, path, [CLOCK]);

/** @type {Reader<boolean>} */
function marked(value, path) {
  if (typeof value !== "boolean") refuseBad(path, "must be true or false");
  if (!value) refuseBad(path, "must be true if it is given");
  return value;
}

/**
 * Return a reader of the seats that leave.
 * @param {number} seats
 * @returns {Reader<number[]>}
 */
function leavers(seats) {
  return (value, path) => {
    const leaving = wholes(value, path, [0, seats - 1], 1, seats);
    const once = unique(leaving);
    if (once.length < leaving.length) refuseBad(path, "names a seat twice");
    return once;
  };
}

// Dice are texts of faces.

/**
 * @param {string} dice
 * @param {string} faces in their order
 */
function sorted(dice, faces) {
  return [...dice].sort((one, other) => faces.indexOf(one) - faces.indexOf(other)).join("");
}

/**
 * @param {string} dice
 * @param {string} faces
 * @param {string} path
 * @param {string} message
 */
function checkFaces(dice, faces, path, message) {
  const face = [...dice].find((sign) => !faces.includes(sign));
  if (face) refuse("bad_face", message, path, { face: quote(face) });
  return dice;
}

/**
 * Return the dice without some of them; null if they aren't all there.
 * @param {string} dice
 * @param {string} part
 */
function without(dice, part) {
  let rest = dice;
  for (const face of part) {
    if (!rest.includes(face)) return null;
    rest = rest.replace(face, "");
  }
  return rest;
}

/**
 * @param {number[]} leaving
 * @param {number[]} live the seats that still play
 * @param {string} path
 */
function checkLeavers(leaving, live, path) {
  const seat = leaving.find((leaver) => !live.includes(leaver));
  if (seat !== undefined) {
    refuse("wrong_seat", "seat {seat} is already out and can't forfeit", path, { seat });
  }
  if (leaving.length === live.length) refuse("wrong_seat", "the last seat can't forfeit", path);
}

/**
 * Rank seats by their figures. Seats that went out earlier are behind all others; those that went
 * out together share a rank.
 * @param {number[]} figures
 * @param {number[]} rivals the seats that are compared by their figures
 * @param {number[][]} exits in their order
 */
function ranks(figures, rivals, exits) {
  const rank = figures.map(
    (figure) => 1 + rivals.filter((rival) => figures[rival] > figure).length,
  );
  let ahead = figures.length;
  for (const seats of exits) {
    ahead -= seats.length;
    for (const seat of seats) rank[seat] = ahead + 1;
  }
  return rank;
}

/** @typedef {ReturnType<typeof newTable>} BluffTable */

const FACES = "12345*";
const NO_BID = -1;

/**
 * Count the dice that match a face; a star matches each.
 * @param {string} dice
 * @param {string} face
 */
function matching(dice, face) {
  return [...dice].filter((die) => die === face || die === "*").length;
}

/**
 * @param {string} dice
 * @param {string} path
 */
function faced(dice, path) {
  return checkFaces(dice, FACES, path, "“{face}” isn't a face of a die: 1 2 3 4 5 *");
}

/** @param {BluffGame} game */
const live = ({ owned }) => numbersTo(owned.length).filter((seat) => owned[seat]);

/**
 * Return the next seat that still has dice.
 * @param {number[]} owned
 * @param {number} seat
 * @returns {number}
 */
function after(owned, seat) {
  const next = (seat + 1) % owned.length;
  return owned[next] ? next : after(owned, next);
}

/**
 * Return a table at the beginning of a round: the dice hidden and laid out by seat, and the cups if
 * they are known.
 * @param {BluffGame} game
 * @param {BluffRound} round
 */
function newTable({ owned, openers }, { level, bidder, cups }) {
  return {
    turn: bidder ?? openers[0],
    bid: NO_BID,
    bidder: /** @type {number | null} */ (null),
    challenger: /** @type {number | null} */ (null),
    hidden: [...owned],
    shown: owned.map(() => ""),
    cups: cups && [...cups],
    rerolls: level === "dealt",
  };
}

/**
 * @param {BluffData} data
 * @param {number} seats
 * @param {BluffSettings} settings
 * @param {number} mostMoves
 * @returns {Kind<BluffGame, BluffRound, BluffNote>}
 */
function bluff(data, seats, settings, mostMoves) {
  const { bids, counts, faces, hands, levels } = data;
  const CHALLENGE = bids.length;

  /** @type {Reader<number>} */
  const seatOf = (value, path) => whole(value, path, [0, seats - 1]);

  /**
   * @param {number} opener
   * @returns {BluffGame}
   */
  function start(opener) {
    const owned = Array(seats).fill(settings.dice);
    return { owned, opener, openers: [opener], exits: [], due: false, ended: null };
  }

  /** @param {BluffGame} game */
  const over = (game) => game.ended !== null || live(game).length === 1;

  /** @param {BluffGame} game */
  const gone = (game) => settings.dice * seats - sum(game.owned);

  /**
   * @param {BluffGame} game
   * @returns {Ending}
   */
  function ending(game) {
    if (!over(game)) return { rank: null, points: null, cntdice: null };
    const exits = game.exits.map(([out]) => out);
    const rank = ranks(game.owned, numbersTo(seats), exits);
    const cntdice = game.owned.map((dice) => gone(game) + dice);
    for (const [out, goneThen] of game.exits) {
      for (const seat of out) cntdice[seat] = goneThen;
    }
    return { rank, points: settings.scoring === "cntdice" ? cntdice : rank, cntdice };
  }

  /**
   * @param {BluffGame} game
   * @param {BluffNote[]} notes
   */
  function turn(game, notes) {
    if (over(game)) return null;
    const last = notes.at(-1);
    return last ? after(game.owned, last.seat) : game.opener;
  }

  /** @param {BluffNote[]} notes */
  function lastBid(notes) {
    const last = notes.at(-1);
    return last ? readMove(last.bid).bid : NO_BID;
  }

  /**
   * @param {BluffGame} game
   * @param {BluffNote[]} notes
   */
  function legal(game, notes) {
    return over(game) ? [] : bids.slice(lastBid(notes) + 1);
  }

  /**
   * @param {BluffGame} before
   * @param {BluffGame} game
   * @returns {Difference}
   */
  function difference(before, game) {
    const losses = before.owned.map((dice, seat) => dice - game.owned[seat]);
    const out = live(before).filter((seat) => !game.owned[seat]);
    return { losses, out, opener: game.opener };
  }

  /**
   * Return the level of a round: the first one that has a mark in it.
   * @param {JsonObject} value
   * @returns {Level | undefined}
   */
  function levelOf(value) {
    return levels.find(({ marks }) => marks.some((keys) => keys.every((key) => has(value, key))));
  }

  /**
   * Read a round; it has the keys of exactly one level.
   * @param {unknown} value
   * @param {string} path
   * @returns {BluffRound}
   */
  function read(value, path) {
    const given = members(value, path, [], data.keys);
    const form = levelOf(given);
    if (!form) refuseBad(path, "gives neither moves nor losses");
    const { level, required, optional } = form;
    requireKeys(given, path, required);
    const known = [...required, ...optional];
    const strange = Object.keys(given).find((key) => !known.includes(key));
    if (strange) {
      const keys = required.join(" and ");
      refuseBad(`${path}.${strange}`, "can't be combined with {keys}", { keys });
    }
    const opener = field(given, "opener", path, seatOf);
    const bidder = field(given, "bidder", path, seatOf);
    const challenger = field(given, "challenger", path, seatOf);
    const forfeit = field(given, "forfeit", path, leavers(seats)) ?? [];
    const isVoid = field(given, "void", path, marked) ?? false;
    field(given, "ended", path, ended);
    const cups = level in hands ? field(given, hands[level], path, readHands) : null;
    const entries = field(given, "moves", path, (moves, place) => items(moves, place)) ?? [];
    if (entries.length > mostMoves) {
      refuse("too_many_moves", TOO_MANY_MOVES, `${path}.moves`, { most: mostMoves });
    }
    const count = field(given, "count", path, (number, place) => whole(number, place));
    const losses = field(given, "losses", path, readLosses);
    const moves = entries.map((entry, place) => readMove(entry, `${path}.moves[${place}]`));
    return { level, opener, bidder, challenger, forfeit, void: isVoid, cups, moves, count, losses };
  }

  /** @type {Reader<number[]>} */
  function readLosses(value, path) {
    return wholes(value, path, SAFE, seats, seats);
  }

  /** @type {Reader<string[]>} */
  function readHands(value, path) {
    return items(value, path, seats, seats).map((hand, seat) => readHand(hand, `${path}[${seat}]`));
  }

  /** @type {Reader<string>} */
  function readHand(hand, path) {
    if (typeof hand !== "string") refuseBad(path, "must be a text of faces");
    const number = faced(hand, path).length;
    if (number > data.most_dice) {
      refuse("wrong_number_of_dice", "no seat has {number} dice", path, { number });
    }
    return hand;
  }

  /**
   * @param {unknown} entry
   * @param {string} path
   * @returns {Move}
   */
  function readMove(entry, path = "") {
    if (entry === "!") return { bid: CHALLENGE };
    const [said, dice] = split(textOf(entry), "/");
    const bid = readBid(said, path);
    if (dice === null) return { bid };
    const [show, rolled] = split(dice, ">");
    faced(show + (rolled ?? ""), path);
    return { bid, show: sorted(show, FACES), rolled };
  }

  /**
   * Return the place of a bid on the track.
   * @param {string} said
   * @param {string} path
   */
  function readBid(said, path) {
    if (bids.includes(said)) return bids.indexOf(said);
    const face = /^(?:0|[1-9][0-9]*)x(.)$/su.exec(said)?.[1];
    if (!face) refuseBad(path, "“{text}” isn't a move", { text: quote(said) });
    checkFaces(face, FACES, path, "“{face}” isn't a face: a bid has one of 1 2 3 4 5 *");
    return refuse("no_such_field", "the track has no field for {bid}", path, { bid: quote(said) });
  }

  /**
   * @param {number} bid
   * @param {number} before
   * @param {string} path
   */
  function checkRaise(bid, before, path) {
    if (bid > before) return;
    const values = { bid: bids[bid], last: bids[before] };
    refuse("not_a_raise", "{bid} does not raise {last}", path, values);
  }

  /** @param {string} path */
  function checkReroll(path) {
    if (settings.reroll) return;
    refuse("reroll_off", "this table plays without laying out and rerolling", path);
  }

  /**
   * @param {BluffGame} game
   * @param {BluffNote[]} notes
   * @param {unknown} value
   * @param {string} path
   * @returns {BluffNote}
   */
  function readNote(game, notes, value, path) {
    const given = members(value, path, ["bid"], ["seat"]);
    const place = `${path}.bid`;
    const { bid, show, rolled } = readMove(given.bid, place);
    if (bid === CHALLENGE) refuseBad(place, "must be a bid: the challenge closes the round");
    if (show !== undefined) checkReroll(place);
    if (typeof rolled === "string") {
      refuseBad(place, "gives dice that lie under a cup: give them once the cups are up");
    }
    const seat = field(given, "seat", path, seatOf) ?? turn(game, notes);
    if (seat === null) refuseBad(`${path}.seat`, OPENER_MISSING);
    if (!game.owned[seat]) refuse("wrong_seat", IS_OUT, `${path}.seat`, { seat });
    checkRaise(bid, lastBid(notes), place);
    return { bid: textOf(given.bid), seat };
  }

  /**
   * Check that bids that were noted are in the round, at the same seats. Where the round tells the
   * last bid alone, none was higher.
   * @param {BluffGame} game
   * @param {BluffNote[]} notes
   * @param {BluffRound} round
   * @param {string} path
   */
  function checkNotes(game, notes, { moves, bidder, opener, void: isVoid }, path) {
    const made = moves.map(({ bid }) => bid).filter((bid) => bid !== CHALLENGE);
    if (!notes.length || !made.length || isVoid) return;
    const highest = made[made.length - 1];
    const seatsOf = new Map();
    let turnOf = bidder ?? opener ?? game.openers[0];
    for (const bid of made) {
      seatsOf.set(bid, turnOf);
      turnOf = after(game.owned, turnOf);
    }
    for (const { bid: said, seat } of notes) {
      const { bid } = readMove(said);
      const isElsewhere = (seatsOf.get(bid) ?? seat) !== seat;
      const isMissing = bidder === null && !seatsOf.has(bid);
      if (bid <= highest && !isElsewhere && !isMissing) continue;
      const message = "{bid} by seat {seat} was noted, but this round has no such bid";
      refuse("note_mismatch", message, `${path}.moves`, { bid: bids[bid], seat });
    }
  }

  /**
   * @param {BluffGame} game
   * @param {BluffRound} round
   * @param {string} path
   */
  function settle(game, round, path) {
    if (round.level === CLOCK && game.ended === null) {
      endByClock(game, `${path}.ended`);
      return;
    }
    if (over(game)) refuse("game_over", data.game_over, path);
    checkOpener(game, round, `${path}.opener`);
    if (round.level === "forfeit") {
      leave(game, round.forfeit, path);
    } else if (round.level === "result") {
      settleUntold(game, round.losses ?? [], `${path}.losses`);
    } else {
      const table = play(game, round, path);
      if (round.void) breakOff(game, round, path);
      else settleBet(game, round, table, path);
    }
  }

  /**
   * @param {BluffGame} game
   * @param {BluffRound} round
   * @param {string} path
   */
  function breakOff(game, round, path) {
    game.due = true;
    if (round.forfeit.length) leave(game, round.forfeit, path);
  }

  /**
   * @param {BluffGame} game
   * @param {string} path
   */
  function endByClock(game, path) {
    if (over(game)) refuse("clock_mismatch", ONE_LEFT, path);
    if (game.due) {
      const due = "the round before is void, so it is played again before the game ends";
      refuse("clock_mismatch", due, path);
    }
    game.ended = CLOCK;
  }

  /**
   * @param {BluffGame} game
   * @param {number} opener
   */
  function open(game, opener) {
    game.opener = opener;
    game.openers = [opener];
  }

  /**
   * @param {BluffGame} game
   * @param {BluffRound} round
   * @param {string} path
   */
  function checkOpener(game, { level, opener, moves, forfeit, void: isVoid }, path) {
    if (opener === null) {
      const hasPlay = moves.length || forfeit.length || !isVoid;
      const isNeeded = !data.no_moves.includes(level) && hasPlay;
      if (game.opener === null && isNeeded) refuseBad(path, OPENER_MISSING);
      return;
    }
    if (!game.openers.includes(opener)) {
      const values = { seat: opener, may: game.openers.join(" or ") };
      refuse("wrong_seat", "seat {seat} doesn't open this round: seat {may} does", path, values);
    }
    open(game, opener);
  }

  /**
   * @param {BluffGame} game
   * @param {number[]} lost dice by seat
   */
  function lose(game, lost) {
    const before = live(game);
    game.owned = game.owned.map((dice, seat) => dice - lost[seat]);
    const out = before.filter((seat) => !game.owned[seat]);
    if (out.length) game.exits = [...game.exits, [out, gone(game)]];
  }

  /**
   * @param {BluffGame} game
   * @param {number[]} leaving
   * @param {string} path
   */
  function leave(game, leaving, path) {
    checkLeavers(leaving, live(game), `${path}.forfeit`);
    const lost = game.owned.map((dice, seat) => (leaving.includes(seat) ? dice : 0));
    lose(game, lost);
    const next = game.openers.map((seat) => (game.owned[seat] ? seat : after(game.owned, seat)));
    game.openers = unique(next);
    if (game.opener !== null) game.opener = game.openers[0];
  }

  /**
   * Return the dice that each seat loses by a bet.
   * @param {number[]} owned
   * @param {number} bidder
   * @param {number} challenger
   * @param {number} bid how many dice were bid
   * @param {number} count how many there were
   */
  function lossesOf(owned, bidder, challenger, bid, count) {
    if (count === bid) return exactHit(owned, bidder, challenger);
    const loser = count > bid ? challenger : bidder;
    const missed = Math.abs(count - bid);
    return owned.map((dice, seat) => (seat === loser ? Math.min(missed, dice) : 0));
  }

  /** How many dice protect a seat from an exact hit of others. */
  function spared() {
    if (settings.exact === "all") return 0;
    return settings.exact === "protected" ? 1 : Infinity;
  }

  /**
   * @param {number[]} owned
   * @param {number} bidder
   * @param {number} challenger
   */
  function exactHit(owned, bidder, challenger) {
    const least = spared();
    /** @type {number[]} */
    const lost = owned.map((dice, seat) => (dice > least && seat !== bidder ? 1 : 0));
    lost[challenger] = 1;
    if (settings.exact === "giveaway" && owned[bidder] < settings.dice) lost[bidder] = -1;
    return lost;
  }

  /**
   * Return who may have won the bet of a bidder that cost the seats these dice.
   * @param {BluffGame} game
   * @param {number} bidder
   * @param {number[]} lost
   */
  function winnersOf({ owned }, bidder, lost) {
    const challenger = after(owned, bidder);
    const bets = [{ winner: bidder, bid: 1, count: 1 }];
    if (lost[challenger] > 0) bets.push({ winner: bidder, bid: 1, count: 1 + lost[challenger] });
    if (lost[bidder] > 0) bets.push({ winner: challenger, bid: 1 + lost[bidder], count: 1 });
    const fitting = bets.filter(({ bid, count }) => {
      const losses = lossesOf(owned, bidder, challenger, bid, count);
      return losses.every((dice, seat) => dice === lost[seat]);
    });
    return fitting.map(({ winner }) => winner);
  }

  /**
   * Settle a round of which only the dice lost are known: all who may have won the bet may open the
   * next.
   * @param {BluffGame} game
   * @param {number[]} lost
   * @param {string} path
   */
  function settleUntold(game, lost, path) {
    const winners = live(game).flatMap((bidder) => winnersOf(game, bidder, lost));
    if (!winners.length) {
      const message = "no challenge can cost the seats {losses} dice";
      refuse("losses_mismatch", message, path, { losses: lost });
    }
    game.due = false;
    game.opener = null;
    game.openers = unique(winners);
    lose(game, lost);
  }

  /**
   * Check that each cup has as many dice as its seat owns.
   * @param {number[]} owned
   * @param {BluffRound} round
   * @param {string} path
   */
  function checkCups(owned, { level, cups }, path) {
    cups?.forEach(({ length: given }, seat) => {
      if (given === owned[seat]) return;
      const place = `${path}.${hands[level]}[${seat}]`;
      const message = "seat {seat} owns {owned} dice, not {given}";
      refuse("wrong_number_of_dice", message, place, { seat, owned: owned[seat], given });
    });
  }

  /**
   * Play the moves of a round. Return the table at its end.
   * @param {BluffGame} game
   * @param {BluffRound} round
   * @param {string} path
   */
  function play(game, round, path) {
    const { owned } = game;
    const { moves } = round;
    checkCups(owned, round, path);
    checkTurn(game, round, path);
    const table = newTable(game, round);
    moves.forEach((move, place) => make(owned, table, move, `${path}.moves[${place}]`));
    if (round.forfeit.length && table.challenger !== null) {
      const place = `${path}.moves[${moves.length - 1}]`;
      const message = "a challenged round can't be void: its forfeit follows in a separate round";
      refuseBad(place, message);
    }
    if (!round.void && table.challenger === null) {
      refuse("no_challenge", "the moves don't end with a challenge", `${path}.moves`);
    }
    return table;
  }

  /**
   * Check the bidder and challenger of a round that tells its last bid alone: every seat from the
   * opener on bid something lower before.
   * @param {BluffGame} game
   * @param {BluffRound} round
   * @param {string} path
   */
  function checkTurn({ owned, opener }, { bidder, challenger, moves }, path) {
    if (bidder === null) return;
    if (moves.length > 2)
      refuseBad(`${path}.moves`, "can hold only the last bid and the challenge");
    if (!owned[bidder]) refuse("wrong_seat", IS_OUT, `${path}.bidder`, { seat: bidder });
    const next = after(owned, bidder);
    if (challenger !== next) {
      const message = "after seat {bidder}, only seat {challenger} may challenge";
      refuse("wrong_seat", message, `${path}.challenger`, { bidder, challenger: next });
    }
    const first = /** @type {number} */ (opener); // checkOpener has refused a round without one
    let place = 0;
    for (let seat = first; seat !== bidder; seat = after(owned, seat)) place += 1;
    const bid = moves[0]?.bid;
    if (bid < place) {
      const message =
        "seat {seat} can't bid {bid}: seat {opener} opened, and nothing lower is left";
      const values = { seat: bidder, bid: bids[bid], opener };
      refuse("wrong_seat", message, `${path}.bidder`, values);
    }
  }

  /**
   * @param {number[]} owned
   * @param {BluffTable} table
   * @param {Move} move
   * @param {string} path
   */
  function make(owned, table, { bid, show, rolled }, path) {
    if (table.challenger !== null) {
      refuseBad(path, "the cups are up: nothing follows a challenge");
    }
    if (bid === CHALLENGE) {
      if (table.bid === NO_BID) {
        refuse("no_bid", "there is no bid to challenge: the opener has to bid", path);
      }
      table.challenger = table.turn;
      return;
    }
    checkRaise(bid, table.bid, path);
    if (show !== undefined) layOut(table, show, rolled ?? null, path);
    table.bid = bid;
    table.bidder = table.turn;
    table.turn = after(owned, table.turn);
  }

  /**
   * Lay dice out, and roll the others again.
   * @param {BluffTable} table
   * @param {string} show
   * @param {string | null} rolled
   * @param {string} path
   */
  function layOut({ turn: seat, hidden, shown, cups, rerolls }, show, rolled, path) {
    const number = hidden[seat] - show.length;
    const given = rolled?.length ?? 0;
    const rest = cups ? without(cups[seat], show) : "";
    if (rolled !== null && !rerolls) {
      refuseBad(path, "rerolled dice can be given only in a dealt round");
    }
    checkReroll(path);
    if (!show) refuse("must_show_one", "to reroll, you have to lay out at least one die", path);
    if (!number) {
      const message = "at least one hidden die has to stay in the cup to be rerolled";
      refuse("must_keep_one_hidden", message, path);
    }
    if (number < 0 || rest === null) {
      const message = "{dice} isn't among the {hidden} hidden dice of the seat";
      refuse("show_not_owned", message, path, { dice: quote(show), hidden: hidden[seat] });
    }
    if (rerolls && given !== number) {
      const message = "{number} dice are to be rerolled, not {given}";
      refuse("wrong_number_of_dice", message, path, { number, given });
    }
    hidden[seat] = number;
    shown[seat] += show;
    if (cups) cups[seat] = rolled ?? rest;
  }

  /**
   * @param {BluffGame} game
   * @param {BluffRound} round
   * @param {BluffTable} table
   * @param {string} path
   */
  function settleBet(game, round, { bid, bidder, challenger, shown, cups }, path) {
    if (bidder === null || challenger === null) return; // `play` has refused such a round
    const table = shown.join("");
    const least = matching(table, faces[bid]);
    const most = sum(game.owned) - table.length + least;
    const count = cups ? matching(table + cups.join(""), faces[bid]) : round.count;
    if (count === null) refuseBad(`${path}.count`, "is missing");
    if (count < least || count > most) {
      const message = "from {least} to {most} dice can match, not {count}";
      refuse("count_mismatch", message, `${path}.count`, { least, most, count });
    }
    const losses = lossesOf(game.owned, bidder, challenger, counts[bid], count);
    const claimed = round.losses;
    if (claimed?.some((dice, seat) => dice !== losses[seat])) {
      const message = "{count} dice match {bid}: the seats lose {losses}, not {claimed}";
      const values = { count, bid: bids[bid], losses, claimed };
      refuse("losses_mismatch", message, `${path}.losses`, values);
    }
    game.due = false;
    open(game, count >= counts[bid] ? bidder : challenger);
    lose(game, losses);
  }

  /** @param {BluffRound} round */
  const moves = (round) => round.moves.length;

  return {
    start,
    over,
    ending,
    turn,
    legal,
    difference,
    read,
    moves,
    readNote,
    checkNotes,
    settle,
  };
}

const PIPS = "123456";
const MARKS = ["void", "forfeit", "ended"];
/** @type {KniffelTurn} */
const NO_TURN = {
  say: null,
  doubters: [],
  rolls: 0,
  dice: null,
  forfeit: [],
  void: false,
  ended: null,
};

/** @param {Field} field */
const isFilled = ([points, crossed]) => crossed || points !== null;

/** @param {Record<string, Field>} fields */
const isFull = (fields) => Object.values(fields).every(isFilled);

/** @param {Announcement} announcement */
const said = ({ combination, points }) => `${combination}=${points}`;

/**
 * @param {string} dice
 * @param {string} path
 */
function pips(dice, path) {
  return checkFaces(dice, PIPS, path, "“{face}” isn't a face of a die: 1 2 3 4 5 6");
}

/**
 * @param {string} dice
 * @param {number} number
 * @param {string} path
 */
function checkNumber({ length: given }, number, path) {
  if (given === number) return;
  const message = "{number} dice are to be shown here, not {given}";
  refuse("wrong_number_of_dice", message, path, { number, given });
}

/**
 * @param {string} words
 * @param {string} path
 * @returns {Announcement}
 */
function announcement(words, path) {
  const match = /^([a-z]+)=(0|[1-9][0-9]?)$/.exec(words);
  if (!match) {
    const message = "“{text}” isn't an announcement such as fours=12";
    refuse("no_such_announcement", message, path, { text: quote(words) });
  }
  return { combination: match[1], points: Number(match[2]) };
}

/** @type {Reader<Announcement>} */
const readSay = (value, path) => announcement(text(value, path), path);

/**
 * @param {KniffelData} data
 * @param {number} seats
 * @param {KniffelSettings} settings
 * @returns {Kind<KniffelGame, KniffelTurn, KniffelNote>}
 */
function kniffel(data, seats, settings) {
  const { combinations, announceable, upper, scores } = data;

  /** @returns {Record<string, Field>} */
  const emptySheet = () => Object.fromEntries(combinations.map((name) => [name, [null, false, 0]]));

  /**
   * @param {number} opener
   * @returns {KniffelGame}
   */
  function start(opener) {
    return {
      sheets: numbersTo(seats).map(emptySheet),
      roller: opener,
      turns: Array(seats).fill(0),
      playing: numbersTo(seats),
      leavers: [],
      ended: null,
      last_lap: null,
    };
  }

  /** @param {KniffelGame} game */
  const over = (game) => game.roller === null;

  /** @param {KniffelGame} game */
  const turn = (game) => game.roller;

  /** @param {Record<string, Field>} fields */
  function totalOf(fields) {
    const pointsOf = (/** @type {string[]} */ names) =>
      sum(names.map((name) => fields[name][0] ?? 0));
    const bonus = pointsOf(upper) >= data.bonus_from ? data.bonus : 0;
    return pointsOf(combinations) + bonus;
  }

  /** @param {KniffelGame} game */
  const totals = (game) => game.sheets.map(totalOf);

  /**
   * @param {KniffelGame} game
   * @returns {Ending}
   */
  function ending(game) {
    if (!over(game)) return { rank: null, points: null, totals: null };
    const points = totals(game);
    return { rank: ranks(points, game.playing, game.leavers), points, totals: points };
  }

  /** @param {string} name of a combination */
  function legalPoints(name) {
    return settings.allow_zero ? [0, ...announceable[name]] : announceable[name];
  }

  /**
   * @param {KniffelGame} game
   * @param {KniffelNote[]} notes
   */
  function legal({ roller, sheets }, notes) {
    if (roller === null || notes.length) return [];
    const left = combinations.filter((name) => !isFilled(sheets[roller][name]));
    return left.flatMap((combination) =>
      legalPoints(combination).map((points) => said({ combination, points })),
    );
  }

  /**
   * @param {KniffelGame} before
   * @param {KniffelGame} game
   * @returns {Difference}
   */
  function difference(before, game) {
    const earlier = totals(before);
    const gains = totals(game).map((total, seat) => total - earlier[seat]);
    const out = before.playing.filter((seat) => !game.playing.includes(seat));
    return { gains, out, opener: game.roller };
  }

  /**
   * @param {unknown} value
   * @param {string} path
   * @returns {KniffelTurn}
   */
  function read(value, path) {
    if (isObject(value) && MARKS.some((mark) => has(value, mark))) return readBroken(value, path);
    const given = members(value, path, ["say"], ["rolls", "dice", "doubts"]);
    const rolled = field(given, "rolls", path, readRolls);
    const shown = field(given, "dice", path, (dice, place) => readDice(dice, rolled, place));
    const say = field(given, "say", path, readSay);
    const doubters = field(given, "doubts", path, (doubts, place) => wholes(doubts, place)) ?? [];
    return { ...NO_TURN, ...rolled, dice: shown ?? rolled?.dice ?? null, say, doubters };
  }

  /**
   * Read a turn that was broken off.
   * @param {JsonObject} value
   * @param {string} path
   * @returns {KniffelTurn}
   */
  function readBroken(value, path) {
    if (has(value, "ended")) {
      const given = members(value, path, ["ended"]);
      return { ...NO_TURN, ended: ended(given.ended, `${path}.ended`) };
    }
    members(value, path, [], [...MARKS, "rolls", "say"]);
    const isVoid = field(value, "void", path, marked) ?? false;
    const strange = ["rolls", "say"].find((key) => has(value, key));
    if (!isVoid && strange) {
      refuseBad(`${path}.${strange}`, "can't be combined with {keys}", { keys: "forfeit" });
    }
    const rolled = field(value, "rolls", path, readRolls);
    const say = field(value, "say", path, readSay);
    const forfeit = field(value, "forfeit", path, leavers(seats)) ?? [];
    return { ...NO_TURN, ...rolled, say, forfeit, void: isVoid };
  }

  /**
   * Return how often was rolled, and the dice that the rolls leave. Each roll after the first keeps
   * dice of the one just before.
   * @type {Reader<{ rolls: number, dice: string }>}
   */
  function readRolls(value, path) {
    const entries = items(value, path, 1, data.rolls);
    let locked = "";
    let fresh = "";
    entries.forEach((entry, number) => {
      const place = `${path}[${number}]`;
      const { kept, thrown } = readRoll(entry, place);
      if (!number && kept) {
        refuse("bad_keep", "before the first roll there is nothing to keep", place);
      }
      if (without(fresh, kept) === null) {
        refuse("bad_keep", "only dice from the roll just before can stay", place);
      }
      if (number && kept.length === fresh.length) {
        refuse("must_roll_one", "at least one die must be rolled each time", place);
      }
      checkNumber(thrown, number ? fresh.length - kept.length : data.dice, place);
      locked += kept;
      fresh = thrown;
    });
    return { rolls: entries.length, dice: sorted(locked + fresh, PIPS) };
  }

  /** @type {Reader<{ kept: string, thrown: string }>} */
  function readRoll(entry, path) {
    const [first, second] = split(text(entry, path), ">");
    if (second === null) return { kept: "", thrown: pips(first, path) };
    const kept = pips(first, path);
    return { kept, thrown: pips(second, path) };
  }

  /**
   * @param {unknown} value
   * @param {{ dice: string } | null} rolled
   * @param {string} path
   */
  function readDice(value, rolled, path) {
    const dice = sorted(pips(text(value, path), path), PIPS);
    checkNumber(dice, data.dice, path);
    if (rolled && dice !== rolled.dice) {
      refuseBad(path, "must be the dice that the rolls leave: {dice}", { dice: rolled.dice });
    }
    return dice;
  }

  /**
   * @param {KniffelGame} game
   * @param {KniffelNote[]} notes
   * @param {unknown} value
   * @param {string} path
   * @returns {KniffelNote}
   */
  function readNote(game, notes, value, path) {
    const given = members(value, path, ["say"], ["seat"]);
    if (notes.length) refuseBad(`${path}.say`, "was already said in this turn: undo that first");
    const roller = /** @type {number} */ (game.roller); // the game isn't over
    const seat = field(given, "seat", path, (one, place) => whole(one, place, [0, seats - 1]));
    if (seat !== null && seat !== roller) {
      refuse("wrong_seat", "it is seat {seat}'s turn to roll", `${path}.seat`, { seat: roller });
    }
    const say = announcement(textOf(given.say), `${path}.say`);
    check(game, { ...NO_TURN, say }, say, path);
    return { say: said(say), seat: roller };
  }

  /**
   * @param {KniffelGame} game
   * @param {KniffelNote[]} notes
   * @param {KniffelTurn} turn
   * @param {string} path
   */
  function checkNotes(game, notes, { say }, path) {
    const noted = notes.at(-1)?.say;
    if (!noted || !say || noted === said(say)) return;
    const message = "{noted} was noted as said in this turn, not {said}";
    refuse("note_mismatch", message, `${path}.say`, { noted, said: said(say) });
  }

  /**
   * @param {KniffelGame} game
   * @param {KniffelTurn} played
   * @param {string} path
   */
  function settle(game, played, path) {
    if (played.ended && game.ended === null) {
      endByClock(game, `${path}.ended`);
      return;
    }
    if (over(game)) refuse("game_over", data.game_over, path);
    const { say } = played;
    if (!say || played.void) {
      breakOff(game, played, path);
      return;
    }
    check(game, played, say, path);
    write(game, played, say);
    pass(game);
  }

  /**
   * @param {KniffelGame} game
   * @param {string} path
   */
  function endByClock(game, path) {
    const refuseClock = (/** @type {string} */ message) => refuse("clock_mismatch", message, path);
    if (over(game)) {
      const lastLap = "the last lap ended the game, not the clock";
      refuseClock(game.playing.length === 1 ? ONE_LEFT : lastLap);
    }
    if (game.last_lap) refuseClock("the last lap has begun, so it is played out");
    const turns = unique(game.playing.map((seat) => game.turns[seat]));
    if (turns.length > 1)
      refuseClock("not every seat still playing has had the same number of turns");
    game.ended = CLOCK;
    game.roller = null;
  }

  /**
   * @param {KniffelGame} game
   * @param {KniffelTurn} turn
   * @param {string} path
   */
  function breakOff(game, { say, forfeit, void: isVoid }, path) {
    if (say) check(game, { ...NO_TURN, say }, say, path);
    if (!forfeit.length) return;
    const place = `${path}.forfeit`;
    const roller = /** @type {number} */ (game.roller); // the game isn't over
    const leaves = forfeit.includes(roller);
    if (isVoid && !leaves) {
      const message = "the turn is void only if the roller, seat {seat}, leaves";
      refuse("wrong_seat", message, place, { seat: roller });
    }
    checkLeavers(forfeit, game.playing, place);
    game.leavers = [...game.leavers, forfeit];
    game.playing = game.playing.filter((seat) => !forfeit.includes(seat));
    if (game.playing.length === 1) game.roller = null;
    else if (leaves) pass(game);
  }

  /**
   * Check that an announcement can be made, and who doubts it.
   * @param {KniffelGame} game
   * @param {KniffelTurn} turn
   * @param {Announcement} say
   * @param {string} path
   */
  function check({ roller, sheets, playing }, { doubters, dice }, { combination, points }, path) {
    if (roller === null) return; // `settle` and the note have refused a game that is over
    const place = `${path}.say`;
    if (!has(announceable, combination) || !legalPoints(combination).includes(points)) {
      const message = "{combination} with {points} points can't be announced";
      const values = { combination: quote(combination), points };
      refuse("no_such_announcement", message, place, values);
    }
    if (isFilled(sheets[roller][combination])) {
      const message = "seat {seat} has already noted or crossed {combination}";
      refuse("category_closed", message, place, { seat: roller, combination });
    }
    const able = unique(doubters).filter((seat) => seat !== roller && playing.includes(seat));
    if (able.length < doubters.length) {
      const message = "doubters must be seats at the table other than {roller}, each given once";
      refuse("bad_doubter", message, `${path}.doubts`, { roller });
    }
    if (doubters.length && !dice) {
      refuse("dice_needed", "a doubted turn must show its dice", `${path}.dice`);
    }
  }

  /**
   * Return whether the dice don't hold what was announced.
   * @param {string | null} dice
   * @param {Announcement} say
   */
  function isLie(dice, { combination, points }) {
    const score = scores[dice ?? ""]?.[combinations.indexOf(combination)] ?? 0;
    return settings.truth === "at_least" ? score < points : score !== points;
  }

  /**
   * @param {Field} field
   * @returns {Field}
   */
  function struck([points, crossed, strikes]) {
    const limit = data.strikes_to_cross;
    return strikes + 1 < limit ? [points, crossed, strikes + 1] : [null, true, limit];
  }

  /**
   * Write a turn down: whoever was wrong gets a strike, and whoever was right the points. A Kniffel
   * gives doubters no points.
   * @param {KniffelGame} game
   * @param {KniffelTurn} turn
   * @param {Announcement} say
   */
  function write(game, { doubters, dice }, say) {
    const { combination, points } = say;
    const isCaught = doubters.length > 0 && isLie(dice, say);
    const noted = (/** @type {Field} */ box) => {
      /** @type {Field} */
      const filled = [points, false, box[2]];
      return isFilled(box) ? box : filled;
    };
    const won = (/** @type {Field} */ box) => (combination === "kniffel" ? box : noted(box));
    const own = isCaught ? struck : noted;
    const others = isCaught ? won : struck;
    game.sheets = game.sheets.map((fields, seat) => {
      const isRoller = seat === game.roller;
      if (!isRoller && !doubters.includes(seat)) return fields;
      const change = isRoller ? own : others;
      return { ...fields, [combination]: change(fields[combination]) };
    });
    game.turns = game.turns.map((number, seat) => (seat === game.roller ? number + 1 : number));
  }

  /**
   * Give the turn to the next seat. With the first full sheet begins the last lap: one turn for
   * each seat whose sheet isn't full when it is reached.
   * @param {KniffelGame} game
   */
  function pass(game) {
    const roller = /** @type {number} */ (game.roller); // the game isn't over
    const clockwise = numbersTo(seats).map((step) => (roller + step + 1) % seats);
    const plays = (/** @type {number} */ seat) => game.playing.includes(seat);
    const isLast = game.playing.some((seat) => isFull(game.sheets[seat]));
    if (game.last_lap === null && isLast) game.last_lap = clockwise;
    if (game.last_lap === null) {
      game.roller = clockwise.find(plays) ?? null;
      return;
    }
    const place = game.last_lap.findIndex((seat) => plays(seat) && !isFull(game.sheets[seat]));
    game.roller = game.last_lap[place] ?? null;
    game.last_lap = game.roller === null ? [] : game.last_lap.slice(place + 1);
  }

  /** @param {KniffelTurn} played */
  const moves = (played) => played.rolls + (played.say ? 1 : 0);

  return {
    start,
    over,
    ending,
    turn,
    legal,
    difference,
    read,
    moves,
    readNote,
    checkNotes,
    settle,
  };
}

/**
 * A sheet. Nothing in it is changed in place: a refused entry leaves it as it was, and its state
 * can be kept.
 */
export class Sheet {
  /**
   * @param {SheetKind} kind
   * @param {number} opener
   */
  constructor(kind, opener) {
    this.kind = kind;
    this.opener = opener;
    /** How many rounds are closed. */
    this.closed = 0;
    this.moves = 0;
    this.game = kind.start(opener);
    /** @type {Note[]} */
    this.notes = [];
    /** @type {LastRound | null} */
    this.last_round = null;
    /**
     * How many rounds stay as they were sealed; null if the game isn't played again.
     * @type {number | null}
     */
    this.fixed = null;
    /** @type {Round[]} */
    this.rounds = [];
    /** The round of the call for the arbiter that waits. @type {unknown} */
    this.call = null;
  }

  get over() {
    return this.kind.over(this.game);
  }

  ending() {
    return this.kind.ending(this.game);
  }

  /**
   * Apply an entry. Return its fault; null if it stands.
   * @param {{ act: Act, value: unknown }} entry
   */
  apply({ act, value }) {
    return attempt(() => ACTS[act](this, value, "value"));
  }

  /**
   * Return what the sheet can be resumed from, in the engine's order of keys.
   * @returns {SheetState}
   */
  state() {
    const { opener, closed, moves, game, notes, last_round, fixed, call } = this;
    const always = { opener, closed, moves, game, notes, last_round };
    const called = call ? { call } : {};
    const taken = fixed === null ? {} : { fixed };
    return { ...called, ...always, ...taken };
  }
}

/**
 * Close a round.
 * @param {Sheet} sheet
 * @param {Round} round
 * @param {string} path
 */
function settle(sheet, round, path) {
  const { kind, game, notes, moves, closed, rounds } = sheet;
  const number = closed + 1;
  const most = kind.rules.rounds;
  if (number > most) {
    const message = "has {number} entries, but a game can have at most {most}";
    refuse("too_many_rounds", message, path, { number, most });
  }
  const all = moves + kind.moves(round);
  if (all > kind.rules.moves) {
    refuse("too_many_moves", TOO_MANY_MOVES, path, { most: kind.rules.moves });
  }
  kind.checkNotes(game, notes, round, path);
  const played = { ...game };
  kind.settle(played, round, path);
  sheet.game = played;
  sheet.closed = number;
  sheet.moves = all;
  sheet.notes = [];
  sheet.last_round = { game, notes, moves };
  sheet.rounds = [...rounds, round];
}

/**
 * Take a step of a later round again after an amendment.
 * @param {number} number
 * @param {string} path
 * @param {() => void} step
 */
function fit(number, path, step) {
  const fault = attempt(step);
  if (!fault) return;
  const message = "then round {number} no longer fits: {fault}";
  refuse("later_rounds", message, path, { number, fault });
}

/**
 * What each act does to a sheet.
 * @type {Record<Act, (sheet: Sheet, value: unknown, path: string) => void>}
 */
const ACTS = {
  opener(sheet, value, path) {
    const { kind, closed, notes, fixed } = sheet;
    const { seat } = members(value, path, ["seat"]);
    const opener = whole(seat, `${path}.seat`, [0, kind.seats - 1]);
    if (closed || notes.length || fixed !== null) {
      const message = "the game has begun: who opens has to be said before its first round";
      refuse("round_begun", message);
    }
    sheet.opener = opener;
    sheet.game = kind.start(opener);
  },

  note(sheet, value, path) {
    const { kind, game, notes } = sheet;
    if (sheet.over) refuse("game_over", kind.data.game_over);
    sheet.notes = [...notes, kind.readNote(game, notes, value, path)];
    sheet.last_round = null;
  },

  close(sheet, value, path) {
    settle(sheet, sheet.kind.read(value, path), path);
  },

  undo(sheet, value, path) {
    members(value, path, []);
    const { notes, closed, rounds, last_round: last } = sheet;
    if (notes.length) {
      sheet.notes = notes.slice(0, -1);
      return;
    }
    if (!last) {
      refuse("nothing_to_undo", "there is nothing left to undo: amend an earlier round instead");
    }
    sheet.game = last.game;
    sheet.notes = last.notes;
    sheet.moves = last.moves;
    sheet.closed = closed - 1;
    sheet.rounds = rounds.slice(0, -1);
    sheet.last_round = null;
  },

  amend(sheet, value, path) {
    const { kind, opener, closed, rounds, notes, fixed, call } = sheet;
    if (rounds.length < closed) {
      throw new Error("this sheet was resumed from its state: fold all its entries");
    }
    const { number, reason, round } = members(value, path, ["number", "reason", "round"]);
    oneOf(reason, `${path}.reason`, kind.rules.reasons);
    const which = whole(number, `${path}.number`);
    if (which < 1 || which > closed) {
      const message = "there is no closed round {number}: {rounds} rounds are closed";
      refuse("no_such_round", message, `${path}.number`, { rounds: closed, number: which });
    }
    if (which <= (fixed ?? 0)) {
      const message = "round {number} stays as it was sealed: the game is played again after it";
      refuse("taken_over", message, `${path}.number`, { number: which });
    }
    const place = `${path}.round`;
    const anew = kind.read(round, place);
    const amended = new Sheet(kind, opener);
    for (const played of rounds.slice(0, which - 1)) settle(amended, played, place);
    settle(amended, anew, place);
    for (const played of rounds.slice(which)) {
      fit(amended.closed + 1, place, () => settle(amended, played, place));
    }
    for (const note of notes) fit(closed + 1, place, () => ACTS.note(amended, note, path));
    Object.assign(sheet, amended, { fixed, call });
  },

  // All rounds so far are those of a sealed game, which is played again from here: they stay as
  // they are.
  take_over(sheet, value, path) {
    const { game } = members(value, path, ["game"]);
    text(game, `${path}.game`);
    sheet.fixed = sheet.closed;
    sheet.last_round = null;
  },

  // Calls for the arbiter and rulings come from the service alone, which has checked them.
  call(sheet, value) {
    sheet.call = /** @type {JsonObject} */ (value).round;
  },

  call_off(sheet) {
    sheet.call = null;
  },

  ruling(sheet) {
    sheet.call = null;
  },
};

/**
 * @param {Header} header
 * @param {Rules} rules
 * @returns {SheetKind}
 */
function kindOf(header, rules) {
  const seats = header.seats.length;
  if (header.game === "bluff") {
    const data = rules.bluff;
    const settings = { ...data.settings, ...header.rules };
    return { ...bluff(data, seats, settings, rules.moves), seats, rules, data };
  }
  const data = rules["luegen-kniffel"];
  const settings = { ...data.settings, ...header.rules };
  return { ...kniffel(data, seats, settings), seats, rules, data };
}

/**
 * Return a sheet without entries.
 * @param {Header} header
 * @param {Rules} rules what rules.json holds
 */
export function begin(header, rules) {
  return new Sheet(kindOf(header, rules), header.opener);
}

/**
 * Return the sheet of a state. It takes no amendment, which needs all rounds.
 * @param {Omit<Header, "opener">} header
 * @param {SheetState} state
 * @param {Rules} rules
 */
export function resume(header, state, rules) {
  return Object.assign(begin({ ...header, opener: state.opener }, rules), state);
}

/**
 * Return whose turn it is; null if nobody's, or if the round before tells only its losses, so not
 * who opens.
 * @param {Sheet} sheet
 */
export const turn = (sheet) => sheet.kind.turn(sheet.game, sheet.notes);

/**
 * Return all that can be bid, or announced, after the notes so far, as texts.
 * @param {Sheet} sheet
 */
export const legalBids = (sheet) => sheet.kind.legal(sheet.game, sheet.notes);

/**
 * Return what would come of a round, without writing it down.
 * @param {Sheet} sheet
 * @param {unknown} round
 * @returns {Preview}
 */
export function preview(sheet, round) {
  const later = Object.assign(new Sheet(sheet.kind, sheet.opener), sheet);
  const fault = later.apply({ act: "close", value: round });
  if (fault) return { fault };
  return { ...sheet.kind.difference(sheet.game, later.game), over: later.over };
}

/**
 * Return the rulings that a fault's code cites in the game of this sheet, such as B4.
 * @param {Sheet} sheet
 * @param {string} code
 */
export const rulingOf = (sheet, code) => sheet.kind.data.rulings[code] ?? [];

/**
 * Return the message of a fault in English.
 * @param {Template} fault
 * @returns {string}
 */
export function sentence({ message, values = {} }) {
  return message.replace(/\{(\w+)\}/g, (_, name) => {
    const value = values[name];
    if (Array.isArray(value)) return `[${value.join(", ")}]`;
    return typeof value === "object" && value
      ? sentence(/** @type {Template} */ (value))
      : String(value);
  });
}
