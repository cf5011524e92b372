// Folds the entries of a sheet as the engine does (engine/sheet), for a phone that writes a game down without network.
//   const sheet = begin(header, rules);                         // header: { game, rules, seats, opener }; rules: rules.json
//   const fault = sheet.apply({ act: "close", value: { … } });  // null if the entry stands
// A fault has the engine's code and path, its English template, and the values that sentence() fills in.

const CLOCK = "clock";
const SAFE = [-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
const ONE_LEFT = "one seat was left: that ended the game, not the clock";
const IS_OUT = "seat {seat} is out and can't bid";
const TOO_MANY_MOVES = "no game has more than {most} moves";
const OPENER_MISSING = "is missing: the round before tells only its losses, so not who opens";

class Refused {}
function refuse(code, message, path = null, values = {}) {
  throw Object.assign(new Refused(), { fault: { code, message, path, values } });
}
const deny = (wrong, ...fault) => wrong && refuse(...fault);
const denyBad = (wrong, path, message, values) => deny(wrong, "bad_record", message, path, values);
const good = (value, isGood, ...fault) => denyBad(!isGood, ...fault) || value;
// The fault with which a step is refused, or null.
function attempt(step) {
  try {
    step();
    return null;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return error.fault;
  }
}
const has = (value, key) => Object.hasOwn(value, key);
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
const unique = (numbers) => [...new Set(numbers)].sort((one, other) => one - other);
const numbersTo = (size) => [...Array(size).keys()];
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const textOf = (value) => (typeof value === "string" ? value : "");
const split = (text, mark, at = text.indexOf(mark)) =>
  at < 0 ? [text, null] : [text.slice(0, at), text.slice(at + 1)];

// A text for use in a message or a path: at most 40 signs, all of which can be seen.
function quote(text) {
  const signs = [...text];
  const short = signs.length <= 40 ? signs : [...signs.slice(0, 39), "…"];
  return short
    .map(/[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u.test(short.join("")) ? escaped : String)
    .join("");
}
function escaped(sign) {
  const code = sign.codePointAt(0);
  const known =
    { "\n": "\\n", "\r": "\\r", "\t": "\\t", "\\": "\\\\" }[sign] ??
    (code >= 32 && code < 127 ? sign : null);
  const [mark, digits] = code < 0x100 ? ["x", 2] : code < 0x10000 ? ["u", 4] : ["U", 8];
  return known ?? `\\${mark}${code.toString(16).padStart(digits, "0")}`;
}

// Readers of JSON: each names the path of what it refuses.
const field = (value, key, path, reader) =>
  has(value, key) ? reader(value[key], `${path}.${key}`) : null;
function members(value, path, required, optional = []) {
  denyBad(!isObject(value), path, "must be an object");
  const strange = Object.keys(value)
    .filter((key) => !required.includes(key) && !optional.includes(key))
    .map(quote);
  deny(strange.length, "unknown_key", "“{key}” is no key here", `${path}.${strange[0]}`, {
    key: strange[0],
  });
  for (const key of required) denyBad(!has(value, key), `${path}.${key}`, "is missing");
  return value;
}
function items(value, path, least = 0, most = Infinity) {
  const { length: given } = good(value, Array.isArray(value), path, "must be a list");
  const wanted =
    least === most ? String(least) : { message: "{least} to {most}", values: { least, most } };
  return good(
    value,
    given >= least && given <= most,
    path,
    "must have {wanted} entries, not {given}",
    { wanted, given },
  );
}
function whole(value, path, [least, most] = SAFE) {
  denyBad(!Number.isInteger(value), path, "must be a whole number");
  return good(value, value >= least && value <= most, path, "must be from {least} to {most}", {
    least,
    most,
  });
}
const wholes = (value, path, within, ...size) =>
  items(value, path, ...size).map((one, i) => whole(one, `${path}[${i}]`, within));
const text = (value, path) => good(value, typeof value === "string", path, "must be a text");
const oneOf = (value, path, choices) =>
  good(value, choices.includes(value), path, "must be one of {choices}", {
    choices: choices.join(", "),
  });
const ended = (value, path) => oneOf(value, path, [CLOCK]);
function marked(value, path) {
  denyBad(typeof value !== "boolean", path, "must be true or false");
  return good(value, value, path, "must be true where it is given");
}
const leavers = (seats) => (value, path) => {
  const leaving = wholes(value, path, [0, seats - 1], 1, seats);
  return good(
    unique(leaving),
    unique(leaving).length === leaving.length,
    path,
    "names a seat twice",
  );
};

// Dice are texts of faces.
const sorted = (dice, faces) =>
  [...dice].sort((one, other) => faces.indexOf(one) - faces.indexOf(other)).join("");
function checkFaces(dice, faces, path, message) {
  const face = [...dice].find((sign) => !faces.includes(sign)) ?? "";
  return deny(face, "bad_face", message, path, { face: quote(face) }) || dice;
}
const without = (dice, part) =>
  [...part].reduce((rest, face) => (rest?.includes(face) ? rest.replace(face, "") : null), dice);
function checkLeavers(leaving, live, path) {
  const seat = leaving.find((leaver) => !live.includes(leaver));
  deny(seat !== undefined, "wrong_seat", "seat {seat} is already out and can't forfeit", path, {
    seat,
  });
  deny(leaving.length === live.length, "wrong_seat", "the last seat can't forfeit", path);
}

// Who went out earlier is ranked behind all others; those who went out together share a rank.
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

const FACES = "12345*";
const NO_BID = -1;
const matching = (dice, face) => [...dice].filter((die) => die === face || die === "*").length;
const faced = (dice, path) =>
  checkFaces(dice, FACES, path, "“{face}” is no face of a die: 1 2 3 4 5 *");
const live = ({ owned }) => numbersTo(owned.length).filter((seat) => owned[seat]);
const after = (owned, seat, next = (seat + 1) % owned.length) =>
  owned[next] ? next : after(owned, next);

function bluff({ bids, counts, faces, hands, levels, ...data }, seats, settings, mostMoves) {
  const CHALLENGE = bids.length;
  const seatOf = (value, path) => whole(value, path, [0, seats - 1]);
  const start = (opener) => ({
    owned: Array(seats).fill(settings.dice),
    opener,
    openers: [opener],
    exits: [],
    due: false,
    ended: null,
  });
  const over = (game) => game.ended !== null || live(game).length === 1;
  const gone = (game) => settings.dice * seats - sum(game.owned);
  function ending(game) {
    if (!over(game)) return { rank: null, points: null, cntdice: null };
    const rank = ranks(
      game.owned,
      numbersTo(seats),
      game.exits.map(([out]) => out),
    );
    const cntdice = game.owned.map((dice) => gone(game) + dice);
    for (const [out, then] of game.exits) for (const seat of out) cntdice[seat] = then;
    return { rank, points: settings.scoring === "cntdice" ? cntdice : rank, cntdice };
  }
  const next = (game, notes) => (notes.length ? after(game.owned, notes.at(-1).seat) : game.opener);
  const turn = (game, notes) => (over(game) ? null : next(game, notes));
  const last = (notes) => (notes.length ? readMove(notes.at(-1).bid).bid : NO_BID);
  const legal = (game, notes) => (over(game) ? [] : bids.slice(last(notes) + 1));
  function difference(before, game) {
    const losses = before.owned.map((dice, seat) => dice - game.owned[seat]);
    return { losses, out: live(before).filter((seat) => !game.owned[seat]), opener: game.opener };
  }

  // A round has the keys of exactly one level: of the first that has a mark in it.
  const levelOf = (value) =>
    levels.find(({ marks }) => marks.some((keys) => keys.every((key) => has(value, key))));
  function read(value, path) {
    const form = levelOf(members(value, path, [], data.keys));
    const { level, required, optional } = good(form, form, path, "tells neither moves nor losses");
    for (const key of required) denyBad(!has(value, key), `${path}.${key}`, "is missing");
    const strange = Object.keys(value).find(
      (key) => !required.includes(key) && !optional.includes(key),
    );
    denyBad(strange, `${path}.${strange}`, "doesn't go together with {keys}", {
      keys: required.join(" and "),
    });
    const [opener, bidder, challenger] = ["opener", "bidder", "challenger"].map((key) =>
      field(value, key, path, seatOf),
    );
    const forfeit = field(value, "forfeit", path, leavers(seats)) ?? [];
    const broken = field(value, "void", path, marked) ?? false;
    field(value, "ended", path, ended);
    const cups = level in hands ? field(value, hands[level], path, readHands) : null;
    const entries = field(value, "moves", path, items) ?? [];
    deny(entries.length > mostMoves, "too_many_moves", TOO_MANY_MOVES, `${path}.moves`, {
      most: mostMoves,
    });
    const count = field(value, "count", path, whole);
    const losses = field(value, "losses", path, (lost, place) =>
      wholes(lost, place, SAFE, seats, seats),
    );
    const moves = entries.map((entry, i) => readMove(entry, `${path}.moves[${i}]`));
    return { level, opener, bidder, challenger, forfeit, void: broken, cups, moves, count, losses };
  }
  const readHands = (value, path) =>
    items(value, path, seats, seats).map((hand, i) => {
      const place = `${path}[${i}]`;
      denyBad(typeof hand !== "string", place, "must be a text of faces");
      const { length: number } = faced(hand, place);
      deny(number > data.most_dice, "wrong_number_of_dice", "no seat has {number} dice", place, {
        number,
      });
      return hand;
    });
  function readMove(entry, path) {
    if (entry === "!") return { bid: CHALLENGE };
    const [said, dice] = split(textOf(entry), "/");
    const bid = readBid(said, path);
    if (dice === null) return { bid };
    const [show, rolled] = split(dice, ">");
    faced(show + (rolled ?? ""), path);
    return { bid, show: sorted(show, FACES), rolled };
  }
  function readBid(said, path) {
    if (bids.includes(said)) return bids.indexOf(said);
    const face = /^(?:0|[1-9][0-9]*)x(.)$/su.exec(said)?.[1];
    denyBad(!face, path, "“{text}” is no move", { text: quote(said) });
    checkFaces(face, FACES, path, "“{face}” is no face: a bid has one of 1 2 3 4 5 *");
    return refuse("no_such_field", "the track has no field for {bid}", path, { bid: quote(said) });
  }
  const checkRaise = (bid, before, path) =>
    deny(bid <= before, "not_a_raise", "{bid} does not raise {last}", path, {
      bid: bids[bid],
      last: bids[before],
    });
  const checkReroll = (path) =>
    deny(!settings.reroll, "reroll_off", "this table plays without laying out and rerolling", path);
  function readNote(game, notes, value, path) {
    members(value, path, ["bid"], ["seat"]);
    const { bid, show, rolled } = readMove(value.bid, `${path}.bid`);
    denyBad(bid === CHALLENGE, `${path}.bid`, "must be a bid: the challenge closes the round");
    if (show !== undefined) checkReroll(`${path}.bid`);
    denyBad(
      typeof rolled === "string",
      `${path}.bid`,
      "tells dice that lie under a cup: they are told once the cups are up",
    );
    const seat = field(value, "seat", path, seatOf) ?? turn(game, notes);
    denyBad(seat === null, `${path}.seat`, OPENER_MISSING);
    deny(!game.owned[seat], "wrong_seat", IS_OUT, `${path}.seat`, { seat });
    checkRaise(bid, last(notes), `${path}.bid`);
    return { bid: value.bid, seat };
  }
  // Bids that were noted stand in the round, at the same seats; where it tells the last one alone, none was higher.
  function checkNotes(game, notes, { moves, bidder, opener, void: broken }, path) {
    const made = moves.map(({ bid }) => bid).filter((bid) => bid !== CHALLENGE);
    if (!notes.length || !made.length || broken) return;
    const seatsOf = new Map();
    made.reduce(
      (seat, bid) => seatsOf.set(bid, seat) && after(game.owned, seat),
      bidder ?? opener ?? game.openers[0],
    );
    for (const { bid: said, seat } of notes) {
      const { bid } = readMove(said);
      const wrong =
        bid > made.at(-1) ||
        (seatsOf.get(bid) ?? seat) !== seat ||
        (bidder === null && !seatsOf.has(bid));
      const values = { bid: bids[bid], seat };
      deny(
        wrong,
        "note_mismatch",
        "{bid} of seat {seat} was noted, and this round has no such bid",
        `${path}.moves`,
        values,
      );
    }
  }

  function settle(game, round, path) {
    if (round.level === CLOCK && game.ended === null) return endByClock(game, `${path}.ended`);
    deny(over(game), "game_over", data.game_over, path);
    checkOpener(game, round, `${path}.opener`);
    if (round.level === "forfeit") return leave(game, round.forfeit, path);
    if (round.level === "result") return settleUntold(game, round.losses, `${path}.losses`);
    const table = play(game, round, path);
    if (!round.void) return settleBet(game, round, table, path);
    game.due = true;
    return round.forfeit.length && leave(game, round.forfeit, path);
  }
  function endByClock(game, path) {
    const due = "the round before is void, so it is played again before the game ends";
    deny(over(game) || game.due, "clock_mismatch", over(game) ? ONE_LEFT : due, path);
    game.ended = CLOCK;
  }
  const open = (game, opener) => Object.assign(game, { opener, openers: [opener] });
  function checkOpener(game, { level, opener, moves, forfeit, void: broken }, path) {
    const needed = !data.no_moves.includes(level) && (moves.length || forfeit.length || !broken);
    if (opener === null) return denyBad(game.opener === null && needed, path, OPENER_MISSING);
    const values = { seat: opener, may: game.openers.join(" or ") };
    deny(
      !game.openers.includes(opener),
      "wrong_seat",
      "seat {seat} doesn't open this round: seat {may} does",
      path,
      values,
    );
    return open(game, opener);
  }
  function lose(game, lost) {
    const before = live(game);
    game.owned = game.owned.map((dice, seat) => dice - lost[seat]);
    const out = before.filter((seat) => !game.owned[seat]);
    if (out.length) game.exits = [...game.exits, [out, gone(game)]];
  }
  function leave(game, leaving, path) {
    checkLeavers(leaving, live(game), `${path}.forfeit`);
    lose(
      game,
      game.owned.map((dice, seat) => (leaving.includes(seat) ? dice : 0)),
    );
    game.openers = unique(
      game.openers.map((seat) => (game.owned[seat] ? seat : after(game.owned, seat))),
    );
    if (game.opener !== null) [game.opener] = game.openers;
  }
  function lossesOf(owned, bidder, challenger, bid, count) {
    if (count === bid) return exactHit(owned, bidder, challenger);
    const loser = count > bid ? challenger : bidder;
    return owned.map((dice, seat) => (seat === loser ? Math.min(Math.abs(count - bid), dice) : 0));
  }
  function exactHit(owned, bidder, challenger) {
    const spared = { all: 0, protected: 1 }[settings.exact] ?? Infinity;
    const lost = owned.map((dice, seat) => (dice > spared && seat !== bidder ? 1 : 0));
    lost[challenger] = 1;
    if (settings.exact === "giveaway" && owned[bidder] < settings.dice) lost[bidder] = -1;
    return lost;
  }
  // Only the dice lost are told: whoever may have won the bet may open the next round.
  function settleUntold(game, lost, path) {
    const winners = live(game).flatMap((bidder) => {
      const challenger = after(game.owned, bidder);
      const bet = (bid, count) => lossesOf(game.owned, bidder, challenger, bid, count);
      const ends = [[bidder, bet(1, 1)]];
      if (lost[challenger] > 0) ends.push([bidder, bet(1, 1 + lost[challenger])]);
      if (lost[bidder] > 0) ends.push([challenger, bet(1 + lost[bidder], 1)]);
      return ends
        .filter(([, losses]) => losses.every((dice, seat) => dice === lost[seat]))
        .map(([winner]) => winner);
    });
    deny(!winners.length, "losses_mismatch", "no bet can cost the seats {losses} dice", path, {
      losses: lost,
    });
    Object.assign(game, { due: false, opener: null, openers: unique(winners) });
    lose(game, lost);
  }

  function play({ owned, opener, openers }, round, path) {
    const { level, bidder, cups, moves } = round;
    cups?.forEach(({ length: given }, seat) => {
      const [place, values] = [
        `${path}.${hands[level]}[${seat}]`,
        { seat, owned: owned[seat], given },
      ];
      deny(
        given !== owned[seat],
        "wrong_number_of_dice",
        "seat {seat} owns {owned} dice, not {given}",
        place,
        values,
      );
    });
    if (bidder !== null) checkTurn(owned, opener, round, path);
    const table = {
      turn: bidder ?? openers[0],
      bid: NO_BID,
      bidder: null,
      challenger: null,
      hidden: [...owned],
      shown: owned.map(() => ""),
      cups: cups && [...cups],
      rerolls: level === "dealt",
    };
    moves.forEach((move, i) => make(owned, table, move, `${path}.moves[${i}]`));
    const challenged =
      "a round that was challenged isn't void: its forfeit follows in a round of its own";
    denyBad(
      round.forfeit.length && table.challenger !== null,
      `${path}.moves[${moves.length - 1}]`,
      challenged,
    );
    deny(
      !round.void && table.challenger === null,
      "no_challenge",
      "the moves don't end with a challenge",
      `${path}.moves`,
    );
    return table;
  }
  // The bids before the last one aren't told: every seat from the opener on bid something lower.
  function checkTurn(owned, opener, { bidder, challenger, moves }, path) {
    denyBad(moves.length > 2, `${path}.moves`, "holds only the last bid and the challenge");
    deny(!owned[bidder], "wrong_seat", IS_OUT, `${path}.bidder`, { seat: bidder });
    const [values, wrong] = [
      { bidder, challenger: after(owned, bidder) },
      challenger !== after(owned, bidder),
    ];
    deny(
      wrong,
      "wrong_seat",
      "after seat {bidder} it is seat {challenger} that may challenge",
      `${path}.challenger`,
      values,
    );
    let place = 0;
    for (let seat = opener; seat !== bidder; seat = after(owned, seat)) place += 1;
    const [bid, low] = [
      moves[0]?.bid,
      "seat {seat} can't bid {bid}: seat {opener} opened, and nothing lower is left",
    ];
    deny(bid < place, "wrong_seat", low, `${path}.bidder`, {
      seat: bidder,
      bid: bids[bid],
      opener,
    });
  }
  function make(owned, table, { bid, show, rolled }, path) {
    denyBad(table.challenger !== null, path, "the cups are up: nothing follows a challenge");
    if (bid === CHALLENGE) {
      deny(
        table.bid === NO_BID,
        "no_bid",
        "there is no bid to challenge: the opener has to bid",
        path,
      );
      return Object.assign(table, { challenger: table.turn });
    }
    checkRaise(bid, table.bid, path);
    if (show !== undefined) layOut(table, show, rolled, path);
    return Object.assign(table, { bid, bidder: table.turn, turn: after(owned, table.turn) });
  }
  function layOut({ turn: seat, hidden, shown, cups, rerolls }, show, rolled, path) {
    const [number, given] = [hidden[seat] - show.length, rolled?.length ?? 0];
    const rest = cups ? without(cups[seat], show) : "";
    denyBad(rolled !== null && !rerolls, path, "rerolled dice can be told only in a dealt round");
    checkReroll(path);
    deny(!show, "must_show_one", "who rerolls has to lay out at least one die", path);
    deny(
      !number,
      "must_keep_one_hidden",
      "at least one hidden die has to stay in the cup, to be rerolled",
      path,
    );
    const [values, lacking] = [
      { dice: quote(show), hidden: hidden[seat] },
      number < 0 || rest === null,
    ];
    deny(
      lacking,
      "show_not_owned",
      "{dice} doesn't lie among the {hidden} hidden dice of the seat",
      path,
      values,
    );
    const wrong = rerolls && given !== number;
    deny(wrong, "wrong_number_of_dice", "{number} dice are to be rerolled, not {given}", path, {
      number,
      given,
    });
    hidden[seat] = number;
    shown[seat] += show;
    if (cups) cups[seat] = rolled ?? rest;
  }
  function settleBet(game, round, { bid, bidder, challenger, shown, cups }, path) {
    const table = shown.join("");
    const least = matching(table, faces[bid]);
    const most = sum(game.owned) - table.length + least;
    const count = cups ? matching(table + cups.join(""), faces[bid]) : round.count;
    denyBad(count === null, `${path}.count`, "is missing");
    const [wrong, bounds] = [count < least || count > most, { least, most, count }];
    deny(
      wrong,
      "count_mismatch",
      "from {least} to {most} dice can match, not {count}",
      `${path}.count`,
      bounds,
    );
    const losses = lossesOf(game.owned, bidder, challenger, counts[bid], count);
    const [message, claimed] = [
      "{count} dice match {bid}: the seats lose {losses}, not {claimed}",
      round.losses,
    ];
    const other = claimed?.some((dice, seat) => dice !== losses[seat]);
    deny(other, "losses_mismatch", message, `${path}.losses`, {
      count,
      bid: bids[bid],
      losses,
      claimed,
    });
    game.due = false;
    open(game, count >= counts[bid] ? bidder : challenger);
    lose(game, losses);
  }
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

// In Lügen-Kniffel a field of a sheet is its points, whether it is crossed, and its strikes.
const PIPS = "123456";
const MARKS = ["void", "forfeit", "ended"];
const NO_TURN = {
  say: null,
  doubters: [],
  rolls: 0,
  dice: null,
  forfeit: [],
  void: false,
  ended: null,
};
const isFilled = ([points, crossed]) => crossed || points !== null;
const isFull = (fields) => Object.values(fields).every(isFilled);
const said = ({ combination, points }) => `${combination}=${points}`;
const pips = (dice, path) =>
  checkFaces(dice, PIPS, path, "“{face}” is no face of a die: 1 2 3 4 5 6");
const checkNumber = ({ length: given }, number, path) =>
  deny(
    given !== number,
    "wrong_number_of_dice",
    "{number} dice are to be shown here, not {given}",
    path,
    { number, given },
  );
function announcement(words, path) {
  const match = /^([a-z]+)=(0|[1-9][0-9]?)$/.exec(words);
  deny(!match, "no_such_announcement", "“{text}” is no announcement such as fours=12", path, {
    text: quote(words),
  });
  return { combination: match[1], points: Number(match[2]) };
}
const readSay = (value, path) => announcement(text(value, path), path);
function kniffel({ combinations, announceable, upper, scores, ...data }, seats, settings) {
  function start(opener) {
    const sheet = () => Object.fromEntries(combinations.map((name) => [name, [null, false, 0]]));
    const [sheets, turns] = [numbersTo(seats).map(sheet), Array(seats).fill(0)];
    return {
      sheets,
      roller: opener,
      turns,
      playing: numbersTo(seats),
      leavers: [],
      ended: null,
      last_lap: null,
    };
  }
  const over = (game) => game.roller === null;
  const turn = (game) => game.roller;
  const totals = (game) =>
    game.sheets.map((fields) => {
      const points = (names) => sum(names.map((name) => fields[name][0] ?? 0));
      return points(combinations) + (points(upper) >= data.bonus_from ? data.bonus : 0);
    });
  const ending = (game, points = over(game) ? totals(game) : null) => ({
    rank: points && ranks(points, game.playing, game.leavers),
    points,
    totals: points,
  });
  const legalSums = (name) =>
    settings.allow_zero ? [0, ...announceable[name]] : announceable[name];
  function legal({ roller, sheets }, notes) {
    if (roller === null || notes.length) return [];
    const left = combinations.filter((name) => !isFilled(sheets[roller][name]));
    return left.flatMap((name) =>
      legalSums(name).map((points) => said({ combination: name, points })),
    );
  }
  function difference(before, game) {
    const [earlier, out] = [
      totals(before),
      before.playing.filter((seat) => !game.playing.includes(seat)),
    ];
    return {
      gains: totals(game).map((total, seat) => total - earlier[seat]),
      out,
      opener: game.roller,
    };
  }

  function read(value, path) {
    if (isObject(value) && MARKS.some((mark) => has(value, mark))) return readBroken(value, path);
    members(value, path, ["say"], ["rolls", "dice", "doubts"]);
    const rolled = field(value, "rolls", path, readRolls);
    const dice =
      field(value, "dice", path, (shown, place) => readDice(shown, rolled?.dice, place)) ??
      rolled?.dice;
    const say = field(value, "say", path, readSay);
    const doubters = field(value, "doubts", path, (doubts, place) => wholes(doubts, place)) ?? [];
    return { ...NO_TURN, ...rolled, dice, say, doubters };
  }
  function readBroken(value, path) {
    if (has(value, "ended"))
      return { ...NO_TURN, ended: ended(members(value, path, ["ended"]).ended, `${path}.ended`) };
    members(value, path, [], [...MARKS, "rolls", "say"]);
    const broken = field(value, "void", path, marked) ?? false;
    const alone = !broken && ["rolls", "say"].find((key) => has(value, key));
    denyBad(alone, `${path}.${alone}`, "doesn't go together with {keys}", { keys: "forfeit" });
    const rolled = field(value, "rolls", path, readRolls);
    const say = field(value, "say", path, readSay);
    return {
      ...NO_TURN,
      ...rolled,
      say,
      forfeit: field(value, "forfeit", path, leavers(seats)) ?? [],
      void: broken,
    };
  }
  function readRolls(value, path) {
    let [locked, fresh] = ["", ""];
    items(value, path, 1, data.rolls).forEach((entry, i) => {
      const place = `${path}[${i}]`;
      const [first, second] = split(text(entry, place), ">");
      const [kept, thrown] =
        second === null ? ["", pips(first, place)] : [pips(first, place), pips(second, place)];
      deny(!i && kept, "bad_keep", "before the first roll there is nothing to keep", place);
      deny(
        without(fresh, kept) === null,
        "bad_keep",
        "only dice of the roll just before can stay",
        place,
      );
      deny(
        i && kept.length === fresh.length,
        "must_roll_one",
        "at least one die is rolled each time",
        place,
      );
      checkNumber(thrown, i ? fresh.length - kept.length : data.dice, place);
      [locked, fresh] = [locked + kept, thrown];
    });
    return { rolls: value.length, dice: sorted(locked + fresh, PIPS) };
  }
  function readDice(value, rolled, path) {
    const dice = sorted(pips(text(value, path), path), PIPS);
    checkNumber(dice, data.dice, path);
    denyBad(rolled && dice !== rolled, path, "must be the dice that the rolls leave: {dice}", {
      dice: rolled,
    });
    return dice;
  }

  function readNote(game, notes, value, path) {
    members(value, path, ["say"], ["seat"]);
    denyBad(notes.length, `${path}.say`, "was said before in this turn: undo that first");
    const other =
      has(value, "seat") && whole(value.seat, `${path}.seat`, [0, seats - 1]) !== game.roller;
    deny(other, "wrong_seat", "it is seat {seat} that rolls", `${path}.seat`, {
      seat: game.roller,
    });
    const say = announcement(textOf(value.say), `${path}.say`);
    check(game, { ...NO_TURN, say }, path);
    return { say: said(say), seat: game.roller };
  }
  function checkNotes(game, notes, { say }, path) {
    if (!notes.length || !say || notes.at(-1).say === said(say)) return;
    const values = { noted: notes.at(-1).say, said: said(say) };
    refuse(
      "note_mismatch",
      "{noted} was noted as said in this turn, not {said}",
      `${path}.say`,
      values,
    );
  }

  function settle(game, played, path) {
    if (played.ended && game.ended === null) return endByClock(game, `${path}.ended`);
    deny(over(game), "game_over", data.game_over, path);
    if (!played.say || played.void) return breakOff(game, played, path);
    check(game, played, path);
    write(game, played);
    return pass(game);
  }
  function endByClock(game, path) {
    const uneven = unique(game.playing.map((seat) => game.turns[seat])).length > 1;
    const lap = game.playing.length === 1 ? ONE_LEFT : "the last lap ended the game, not the clock";
    deny(over(game), "clock_mismatch", lap, path);
    deny(game.last_lap, "clock_mismatch", "the last lap has begun, so it is played out", path);
    deny(uneven, "clock_mismatch", "not every seat that still plays has had as many turns", path);
    Object.assign(game, { ended: CLOCK, roller: null });
  }
  function breakOff(game, { say, forfeit, void: broken }, path) {
    if (say) check(game, { ...NO_TURN, say }, path);
    if (!forfeit.length) return;
    const [place, seat, leaves] = [`${path}.forfeit`, game.roller, forfeit.includes(game.roller)];
    deny(
      broken && !leaves,
      "wrong_seat",
      "only the leaving of the roller, seat {seat}, makes the turn void",
      place,
      { seat },
    );
    checkLeavers(forfeit, game.playing, place);
    game.leavers = [...game.leavers, forfeit];
    game.playing = game.playing.filter((seat) => !forfeit.includes(seat));
    if (game.playing.length === 1) game.roller = null;
    else if (leaves) pass(game);
  }
  function check(
    { roller, sheets, playing },
    { say: { combination, points }, doubters, dice },
    path,
  ) {
    const [place, known] = [
      `${path}.say`,
      has(announceable, combination) && legalSums(combination).includes(points),
    ];
    const values = { combination: quote(combination), points };
    deny(
      !known,
      "no_such_announcement",
      "{combination} with {points} points can't be announced",
      place,
      values,
    );
    const [closed, full] = [isFilled(sheets[roller][combination]), { seat: roller, combination }];
    deny(
      closed,
      "category_closed",
      "seat {seat} has {combination} noted or crossed already",
      place,
      full,
    );
    const deaf =
      unique(doubters).filter((seat) => seat !== roller && playing.includes(seat)).length <
      doubters.length;
    deny(
      deaf,
      "bad_doubter",
      "doubters are seats at the table other than {roller}, each once",
      `${path}.doubts`,
      { roller },
    );
    deny(doubters.length && !dice, "dice_needed", "a doubted turn shows its dice", `${path}.dice`);
  }
  function write(game, { say: { combination, points }, doubters, dice }) {
    const [score, limit] = [
      scores[dice]?.[combinations.indexOf(combination)],
      data.strikes_to_cross,
    ];
    const lie =
      doubters.length && (settings.truth === "at_least" ? score < points : score !== points);
    const noted = (box) => (isFilled(box) ? box : [points, false, box[2]]);
    const struck = ([old, crossed, strikes]) =>
      strikes + 1 < limit ? [old, crossed, strikes + 1] : [null, true, limit];
    const won = (box) => (combination === "kniffel" ? box : noted(box));
    const [own, others] = lie ? [struck, won] : [noted, struck];
    game.sheets = game.sheets.map((fields, seat) => {
      if (seat !== game.roller && !doubters.includes(seat)) return fields;
      return {
        ...fields,
        [combination]: (seat === game.roller ? own : others)(fields[combination]),
      };
    });
    game.turns = game.turns.map((number, seat) => (seat === game.roller ? number + 1 : number));
  }
  // With the first full sheet begins the last lap: one turn for each seat whose sheet isn't full when it is reached.
  function pass(game) {
    const clockwise = numbersTo(seats).map((step) => (game.roller + step + 1) % seats);
    const plays = (seat) => game.playing.includes(seat);
    if (game.last_lap === null && game.playing.some((seat) => isFull(game.sheets[seat])))
      game.last_lap = clockwise;
    if (game.last_lap === null) return Object.assign(game, { roller: clockwise.find(plays) });
    const place = game.last_lap.findIndex((seat) => plays(seat) && !isFull(game.sheets[seat]));
    const roller = game.last_lap[place] ?? null;
    return Object.assign(game, {
      roller,
      last_lap: roller === null ? [] : game.last_lap.slice(place + 1),
    });
  }
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
const KINDS = { bluff, "luegen-kniffel": kniffel };

// Nothing that a sheet holds is changed in place: what is refused leaves it as it was, and its state can be kept.
class Sheet {
  constructor(kind, opener) {
    Object.assign(this, {
      kind,
      opener,
      closed: 0,
      moves: 0,
      game: kind.start(opener),
      notes: [],
      last_round: null,
      fixed: null,
      rounds: [],
      call: null,
    });
  }
  get over() {
    return this.kind.over(this.game);
  }
  ending() {
    return this.kind.ending(this.game);
  }
  apply({ act, value }) {
    return attempt(() => ACTS[act](this, value, "value"));
  }
  state() {
    const { opener, closed, moves, game, notes, last_round, fixed, call } = this;
    return {
      ...(call && { call }),
      opener,
      closed,
      moves,
      game,
      notes,
      last_round,
      ...(fixed !== null && { fixed }),
    };
  }
}

function settle(sheet, round, path) {
  const { kind, game, notes, moves, closed, rounds } = sheet;
  const [number, all, long] = [
    closed + 1,
    moves + kind.moves(round),
    { number: closed + 1, most: kind.rules.rounds },
  ];
  deny(
    number > long.most,
    "too_many_rounds",
    "has {number} entries, and no game has more than {most}",
    path,
    long,
  );
  deny(all > kind.rules.moves, "too_many_moves", TOO_MANY_MOVES, path, { most: kind.rules.moves });
  kind.checkNotes(game, notes, round, path);
  const [played, last_round] = [{ ...game }, { game, notes, moves }];
  kind.settle(played, round, path);
  Object.assign(sheet, {
    game: played,
    closed: number,
    moves: all,
    notes: [],
    last_round,
    rounds: [...rounds, round],
  });
}
function fit(number, path, step) {
  const fault = attempt(step);
  deny(fault, "later_rounds", "then round {number} doesn't fit any more: {fault}", path, {
    number,
    fault,
  });
}
const ACTS = {
  opener(sheet, value, path) {
    const { kind, closed, notes, fixed } = sheet;
    const opener = whole(members(value, path, ["seat"]).seat, `${path}.seat`, [0, kind.seats - 1]);
    deny(
      closed || notes.length || fixed !== null,
      "round_begun",
      "the game has begun: who opens is told before its first round",
    );
    Object.assign(sheet, { opener, game: kind.start(opener) });
  },
  note(sheet, value, path) {
    const { kind, game, notes } = sheet;
    deny(sheet.over, "game_over", kind.data.game_over);
    Object.assign(sheet, {
      notes: [...notes, kind.readNote(game, notes, value, path)],
      last_round: null,
    });
  },
  close: (sheet, value, path) => settle(sheet, sheet.kind.read(value, path), path),
  undo(sheet, value, path) {
    members(value, path, []);
    const { notes, closed, rounds, last_round } = sheet;
    if (notes.length) return Object.assign(sheet, { notes: notes.slice(0, -1) });
    deny(
      !last_round,
      "nothing_to_undo",
      "nothing is left to be undone: an earlier round is amended",
    );
    return Object.assign(sheet, last_round, {
      closed: closed - 1,
      rounds: rounds.slice(0, -1),
      last_round: null,
    });
  },
  amend(sheet, value, path) {
    const { kind, opener, closed, rounds, notes, fixed, call } = sheet;
    if (rounds.length < closed)
      throw new Error("this sheet was resumed from its state: fold all its entries");
    const { number, reason, round } = members(value, path, ["number", "reason", "round"]);
    oneOf(reason, `${path}.reason`, kind.rules.reasons);
    const wrong = whole(number, `${path}.number`) < 1 || number > closed;
    const values = { rounds: closed, number };
    deny(
      wrong,
      "no_such_round",
      "{rounds} rounds are closed, and none is number {number}",
      `${path}.number`,
      values,
    );
    const stays = "round {number} stays as it was sealed: the game is played again after it";
    deny(number <= (fixed ?? 0), "taken_over", stays, `${path}.number`, { number });
    const [amended, place, anew] = [
      new Sheet(kind, opener),
      `${path}.round`,
      kind.read(round, `${path}.round`),
    ];
    for (const played of rounds.slice(0, number - 1)) settle(amended, played, place);
    settle(amended, anew, place);
    for (const played of rounds.slice(number))
      fit(amended.closed + 1, place, () => settle(amended, played, place));
    for (const note of notes) fit(closed + 1, place, () => ACTS.note(amended, note, path));
    Object.assign(sheet, amended, { fixed, call });
  },
  // All rounds so far are those of a sealed game, which is played again from here: they stay as they are.
  take_over(sheet, value, path) {
    text(members(value, path, ["game"]).game, `${path}.game`);
    Object.assign(sheet, { fixed: sheet.closed, last_round: null });
  },
  // Calls for the arbiter and rulings come from the service alone, which has checked them.
  call: (sheet, { round }) => Object.assign(sheet, { call: round }),
  call_off: (sheet) => Object.assign(sheet, { call: null }),
  ruling: (sheet) => Object.assign(sheet, { call: null }),
};

// A sheet without entries; `rules` is what rules.json holds.
export function begin(header, rules) {
  const [data, seats] = [rules[header.game], header.seats.length];
  const kind = KINDS[header.game](data, seats, { ...data.settings, ...header.rules }, rules.moves);
  return new Sheet({ ...kind, seats, rules, data }, header.opener);
}

// The sheet of which `state` told. It takes no amendment, which needs all rounds.
export function resume(header, state, rules) {
  return Object.assign(begin({ ...header, opener: state.opener }, rules), state);
}
// Whose turn it is; null if nobody's, or if the round before tells only its losses, so not who opens.
export const turn = (sheet) => sheet.kind.turn(sheet.game, sheet.notes);
// All that can be bid, or announced, after the notes so far, as texts.
export const legalBids = (sheet) => sheet.kind.legal(sheet.game, sheet.notes);

// All that would come of a round: { losses (of Bluff) or gains, by seat; out; opener, null if unknown; over } or { fault }.
export function preview(sheet, round) {
  const later = Object.assign(new Sheet(sheet.kind, sheet.opener), sheet);
  const fault = later.apply({ act: "close", value: round });
  return fault ? { fault } : { ...sheet.kind.difference(sheet.game, later.game), over: later.over };
}
// The rulings that a fault's code cites in the game of this sheet, such as ["B4"].
export const rulingOf = (sheet, code) => sheet.kind.data.rulings[code] ?? [];

// The message of a fault in English.
export function sentence({ message, values }) {
  const word = (value) =>
    Array.isArray(value) ? `[${value.join(", ")}]` : isObject(value) ? sentence(value) : value;
  return message.replace(/\{(\w+)\}/g, (_, name) => word(values[name]));
}
