"""Sheets as people write them, at random: games with notes, slips, amendments and what can't be;
and the engine's answer to every entry, as JSON for a browser that folds the same sheet."""

import json
import random
from collections.abc import Callable
from typing import Any
from zlib import crc32

from engine.illegal import Illegal
from engine.kniffel.combinations import ANNOUNCEABLE, COMBINATIONS, score
from engine.messages import Message
from engine.record.record import Record, read_value
from engine.sheet.case import CASES
from engine.sheet.entry import ALL_ACTS, TAKE_OVER, SheetEntry
from engine.sheet.sheet import AMENDS, OpenSheet, begin
from tests.engine.record.broken_off import random_kniffel
from tests.engine.record.simulated import random_game

Value = dict[str, Any]
SUMS = {name: sorted(points) for name, points in ANNOUNCEABLE.items()}

JUNK: list[Any] = [
    *(
        None,
        True,
        False,
        -1,
        0,
        1,
        2,
        7,
        999,
        1.5,
        [],
        {},
        [0],
        [1, 0],
        [0, 0, 0],
        [9],
        ["12345"],
        ["", ""],
        {"a": 1},
    ),
    *(
        "",
        "x",
        "clock",
        "1x1",
        "40x5",
        "3x*",
        "!",
        "7x9",
        "99x5",
        "1x1/2",
        "2x2/>1",
        "4x5/12345>1",
        "20x4/12>345",
    ),
    *("chance=20", "kniffel=0", "fours=13", "12345", "11>2345", "66666", "seat\u200b", "“" * 50),
]
KEYS = ("opener", "losses", "count", "void", "forfeit", "doubts", "dice", "rolls", "ended", "a\nb")
LOOKS = {"bluff": 0.3, "luegen-kniffel": 0.05}
"""The share of entries after which the whole state is compared, which is long in Lügen-Kniffel."""
SLIPS = {"bluff": 0.15, "luegen-kniffel": 0.1}
"""The share of rounds before which something goes wrong; before as many something is noted."""
TURNS = 8
"""So many turns of most games of Lügen-Kniffel; all of them may be 65, and cost as much as ten
games of Bluff."""


def words(message: Message) -> Value:
    """A message as the browser gives it."""
    return {
        "message": message.template,
        "values": {name: _plain(value) for name, value in message.values.items()},
    }


def _plain(value: object) -> object:
    if isinstance(value, Message):
        return words(value)
    return value if value is None or isinstance(value, int | str | list) else str(value)


def fault_json(fault: Illegal) -> Value:
    return {"code": fault.code, "path": fault.path, **words(fault.message)}


def state_of(sheet: OpenSheet) -> Value:
    """The same as `OpenSheet.state`, but for its deep copies, which take most of the time."""
    last = sheet.last_round
    call = {} if sheet.call is None else {"call": sheet.call}
    return call | {
        "opener": sheet.record.opener,
        "closed": sheet.closed,
        "moves": sheet.moves,
        "game": sheet.record.kind.state(sheet.game),
        "notes": sheet.notes,
        "last_round": None
        if last is None
        else {"game": last.game, "notes": last.notes, "moves": last.moves},
        **({} if sheet.fixed is None else {"fixed": sheet.fixed}),
    }


def digest(sheet: OpenSheet) -> int:
    """A short number for all that a sheet has come to."""
    return crc32(json.dumps(state_of(sheet), separators=(",", ":")).encode())


def ending_json(sheet: OpenSheet) -> Value:
    ending, figure = sheet.ending, "cntdice" if sheet.record.kind.name == "bluff" else "totals"
    return {key: getattr(ending, key) for key in ("rank", "points", figure)}


class Writing:
    """A sheet that is written. `entries`: act, value, the engine's answer (null if it stands), and
    the digest of what the sheet has come to, or null where that isn't looked at."""

    def __init__(self, header: Value, rng: random.Random) -> None:
        record = read_value(header)
        assert isinstance(record, Record), record
        self.header, self.rng, self.sheet = header, rng, begin(record)
        self.entries: list[tuple[str, Value, Value | None, int | None]] = []
        self.share = LOOKS[record.kind.name]

    def write(self, act: str, value: Value) -> bool:
        """Write one entry; true if it stands."""
        fault = self.sheet.apply(SheetEntry(ALL_ACTS[act], value))
        answer = None if fault is None else fault_json(fault)
        self.entries.append(
            (act, value, answer, digest(self.sheet) if self.rng.random() < self.share else None)
        )
        return fault is None

    def amend(self, number: object, value: Any) -> bool:
        return self.write(
            "amend", {"number": number, "reason": self.rng.choice(list(AMENDS)), "round": value}
        )

    def as_json(self) -> Value:
        keys = {key: self.header[key] for key in ("game", "rules", "seats", "opener")}
        place = self.rng.randrange(len(self.entries)) if self.entries else 0
        amended = any(act == "amend" for act, *_ in self.entries[place:])
        return {
            "header": keys,
            "entries": self.entries,
            "resumed": None if amended else place,
            "state": digest(self.sheet),
            "ending": ending_json(self.sheet),
        }


def written_bluff(seed: int) -> Value:
    """A game of Bluff, with slips."""
    return _written(random_game(seed), "rounds", random.Random(seed), lambda sheet, value: value)


def written_kniffel(seed: int) -> Value:
    """A game of Lügen-Kniffel, with slips; in every other one somebody doubts, and every eleventh
    goes to its end."""
    rng = random.Random(seed)
    value = random_kniffel(seed)
    if seed % 11:
        del value["turns"][TURNS:]
    if seed % 2:
        return _written(value, "turns", rng, lambda sheet, turn: turn)
    value["rules"] = {"truth": rng.choice(["exact", "at_least"]), "allow_zero": rng.random() < 0.5}
    return _written(value, "turns", rng, lambda sheet, turn: _doubted(rng, sheet, turn))


def _written(
    record: Value, units: str, rng: random.Random, unit: Callable[[OpenSheet, Value], Value]
) -> Value:
    rounds = record.pop(units)
    del record["result"]
    writing, slips = Writing(record | {units: []}, rng), SLIPS[record["game"]]
    if rng.random() < 0.1:
        writing.write("opener", {"seat": rng.choice([record["opener"], 9, "a"])})
    closed: list[Value] = []
    for value in rounds:
        value = unit(writing.sheet, value)
        if rng.random() < slips:
            _slip(writing, value, closed)
        if rng.random() < slips:
            _note(writing, value)
        if rng.random() < slips:
            _aside(writing)
        stands = writing.write("close", value)
        while not stands and writing.sheet.notes:
            writing.write("undo", {})
            stands = writing.write("close", value)
        if stands:
            closed.append(value)
            if rng.random() < slips / 8:
                writing.write(TAKE_OVER, {"game": "sealed"})
                writing.write("undo", {})
            if rng.random() < slips / 4:
                writing.write("undo", {})
                writing.write(rng.choice(["undo", "note"]), {})
                writing.write("close", value)
    if rng.random() < 0.2:
        _slip(writing, rounds[-1], closed)
    return writing.as_json()


def _aside(writing: Writing) -> None:
    """Call the arbiter; where that was done, take the call back, or let the arbiter rule. A browser
    gets these from the service, so all of them stand."""
    sheet, rng = writing.sheet, writing.rng
    if sheet.call is None:
        stands = writing.write("call", {"round": sheet.last_begun})
    elif rng.random() < 0.5:
        stands = writing.write("call_off", {})
    else:
        case = rng.choice(list(CASES[sheet.record.kind].values()))
        decision = rng.choice(case.decisions)
        value = {"round": sheet.call, "case": case.code, "decision": decision.code}
        stands = writing.write("ruling", value)
    assert stands


def _slip(writing: Writing, value: Value, closed: list[Value]) -> None:
    """Something that mostly can't be."""
    rng = writing.rng
    kind = rng.choice(
        ["close", "close", "close", "close", "note", "undo", "opener", "amend", "amend"]
    )
    if kind == "close" and not (writing.sheet.notes and "bidder" in value):
        broken = _broken(rng, value)
        if writing.write("close", broken):
            writing.write("undo", {})
    elif kind == "note":
        key = "say" if "turns" in writing.header else "bid"
        writing.write(
            "note",
            rng.choice([{}, {key: rng.choice(JUNK)}, {key: "1x2", "seat": rng.choice(JUNK)}]),
        )
    elif kind == "amend" and closed:
        number = rng.randint(1, len(closed))
        near = _otherwise(rng, closed[number - 1])
        amended = rng.choice(
            [near, near, closed[number - 1], _broken(rng, rng.choice(closed)), rng.choice(JUNK)]
        )
        if writing.amend(number if rng.random() < 0.8 else rng.choice([0, 99, "1"]), amended):
            closed[number - 1] = amended
    elif kind in ("undo", "opener"):
        writing.write(kind, rng.choice([{"seat": 0}, {"x": 0}]))


def _otherwise(rng: random.Random, value: Value) -> Value:
    """The same round, as it may have been after all."""
    if "count" in value:
        return {key: part for key, part in value.items() if key != "losses"} | {
            "count": rng.randint(0, 5)
        }
    if "losses" in value and len(value) == 1:
        return {"losses": rng.sample(value["losses"], len(value["losses"]))}
    return {"say": rng.choice(["chance=20", "full=25", "ones=2"])} if "say" in value else value


def _broken(rng: random.Random, value: Value) -> Value:
    """The same with one part that is otherwise."""
    broken: Value = json.loads(json.dumps(value))
    places: list[tuple[Any, Any]] = [(broken, key) for key in broken]
    places += [
        (part, i) for part in broken.values() if isinstance(part, list) for i in range(len(part))
    ]
    kind = rng.choice(["junk", "junk", "near", "near", "near", "less", "more", "level"])
    holder, key = rng.choice(places)
    part = holder[key]
    if kind == "less":
        del holder[key]
    elif kind == "more":
        broken[rng.choice(KEYS)] = rng.choice(JUNK)
    elif kind == "level":
        seats = rng.randint(2, 6)
        levels = [
            {"losses": [rng.randint(-1, 2) for _ in range(seats)]},
            {"forfeit": rng.sample(range(6), 2)},
        ]
        return rng.choice(
            [
                *levels,
                {"void": True},
                {"ended": "clock"},
                {"moves": ["1x1", "1x2", "!"], "count": 1},
            ]
        )
    elif kind == "junk":
        holder[key] = rng.choice(JUNK)
    elif isinstance(part, bool | dict):
        holder[key] = not part
    elif isinstance(part, int):
        holder[key] = part + rng.choice([-2, -1, 1, 2])
    elif isinstance(part, list):
        holder[key] = rng.choice([part[1:], part[:-1], part + part[-1:], part[::-1]])
    else:
        ends = [f"{part}{end}" for end in ("1", "/1", ">1")]
        holder[key] = rng.choice([part[1:], f"1{part}", part.replace("!", "40x5"), *ends])
    return broken


def _note(writing: Writing, value: Value) -> None:
    """What is noted before a round is closed: all of it, a part, or something else."""
    rng = writing.rng
    if "say" in value:
        writing.write("note", {"say": rng.choice([value["say"], value["say"], "chance=20"])})
        if rng.random() < 0.3:
            writing.write(
                rng.choice(["note", "undo"]), {} if rng.random() < 0.5 else {"say": "ones=1"}
            )
        return
    bids = [move.split(">")[0] for move in value.get("moves", []) if move != "!"]
    if "bidder" in value:
        writing.write(
            "note", {"bid": bids[-1], "seat": value["bidder"] if rng.random() < 0.9 else 0}
        )
        return
    for bid in bids[: rng.randint(0, len(bids))]:
        writing.write("note", {"bid": bid if rng.random() < 0.95 else rng.choice(JUNK)})
    if rng.random() < 0.1:
        writing.write("undo", {})


def _doubted(rng: random.Random, sheet: OpenSheet, turn: Value) -> Value:
    """The turn with an announcement that its roller can still make, true or not, which others may
    doubt."""
    if "say" not in turn or "void" in turn or sheet.over:
        return turn
    game = sheet.game
    left = [name for name in COMBINATIONS if not game.sheets[game.roller][name].filled]
    name, dice = rng.choice(left), sorted(rng.choices(range(1, 7), k=5))
    points = rng.choice([score(name, tuple(dice)), rng.choice(SUMS[name])])
    if points or sheet.record.rules.allow_zero or rng.random() < 0.1:
        turn = {"say": f"{name}={points}"}
    others = [seat for seat in game.playing if seat != game.roller]
    doubters = rng.sample(others, rng.randint(0, len(others)))
    if not doubters or rng.random() < 0.3:
        return turn
    kept, fresh = dice[:2], dice[2:]
    first = "".join(map(str, [*kept, *rng.choices(range(1, 7), k=3)]))
    rolls = [first, f"{''.join(map(str, kept))}>{''.join(map(str, fresh))}"]
    shown: list[Value] = [{"dice": "".join(map(str, rng.sample(dice, 5)))}, {"rolls": rolls}]
    return turn | {"doubts": doubters} | rng.choice(shown)
