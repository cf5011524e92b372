"""The game record, version 1: one game, read from one line of JSON."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final, NoReturn

from engine.dice.proof import Proof
from engine.illegal import Illegal, Refused, character_name
from engine.messages import Message, say
from engine.record.handle import read_handle
from engine.record.kind import AnyKind, GameT, Kind, ResultT, RoundT, RulesT
from engine.record.kinds import KINDS
from engine.record.length import too_many_moves, too_many_rounds
from engine.record.lines import no_utf8
from engine.record.names import Name, read_names
from engine.record.outcome import KEY as OUTCOME
from engine.record.outcome import KnownEnd, read_outcome
from engine.record.proof import read_proof
from engine.record.reason import SealedReason, VoidMark, read_reason, read_void
from engine.record.shape import (
    Json,
    bad,
    each,
    hexadecimal,
    items,
    join,
    members,
    moment,
    one_of,
    slug,
    text,
    whole,
    wholes,
)

VERSION: Final = 1
QUOTATION_MARKS: Final = "“”„‟«»‘’‚‹›"
"""Signs that phones and word processors set for the quotation mark of JSON."""
HEADER: Final = ("v", "id", "game", "rules", "seats", "opener")
OPTIONAL: Final = (
    *(
        "season",
        "event",
        "table",
        "played_at",
        "result",
        "proof",
        "names",
        "reason",
        "voided",
        "digests",
        "seal",
    ),
)
OF_ROUNDS: Final = ("result", "proof")
"""Optional keys that say something of rounds (turns), so that none of them goes together with an
outcome."""
SEALED_OUTCOME: Final = 2
"""Digests of a game of which only the end is known: of its header, and of its outcome."""


@dataclass(frozen=True, slots=True)
class Result:
    """The result that a record claims, in seat order; None for what it doesn't claim."""

    rank: tuple[int, ...] | None
    points: tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class Record:
    """One game as it is recorded: its header, and its rounds (turns), or its outcome.

    `rules` and `rounds` are of the types of its `kind`. `outcome`: all that is told of a game of
    which only the end is known; it then has no rounds. `fault`: the first thing in the rounds that
    can't be read, with its place; `rounds` then are those before it, and what could be read of the
    one at fault, if the kind tells that. `names`: how the handles in `seats` are sealed; a record
    without them has no digests. `reason`: why it corrects another record, where that is sealed.
    `voided`: that it doesn't count where it was entered. `proof` and `digests` are what it claims
    of itself; `engine.record.verify` tells whether it is true, and whether the line still is what
    its `seal` says. The checker judges none of the three."""

    record_id: str
    kind: AnyKind
    rules: Any
    seats: tuple[str, ...]
    opener: int
    season: str | None
    event: str | None
    table: str | None
    played_at: str | None
    rounds: tuple[Any, ...]
    result: Result | None
    proof: Proof | None = None
    names: tuple[Name, ...] | None = None
    reason: SealedReason | None = None
    voided: VoidMark | None = None
    digests: tuple[bytes, ...] | None = None
    outcome: KnownEnd | None = None
    fault: Illegal | None = None

    @property
    def game(self) -> str:
        """The name of its kind: the value of the key `game`."""
        return self.kind.name

    @property
    def instant(self) -> datetime | None:
        """Tell when it was played; None where that isn't recorded."""
        return datetime.fromisoformat(self.played_at.upper()) if self.played_at else None

    def start(self) -> Any:
        """The game before its first round, of the type of its kind."""
        return self.kind.start(self.rules, len(self.seats), self.opener)

    def sound_rounds(self) -> tuple[Any, ...]:
        """All rounds of a record in which every one can be read; ValueError for another."""
        if self.fault is not None:
            raise ValueError(f"{self.fault.path} {self.fault.message}")
        return self.rounds

    def first(self, rounds: int) -> "Record":
        """The game as it stood after so many rounds, without a result or an outcome."""
        return replace(self, rounds=self.rounds[:rounds], result=None, outcome=None, fault=None)

    def canonical(self) -> "Record":
        """The same game, its rounds or its outcome without what is told by the rest; the game is
        ok.

        ValueError if a round can't be read.
        """
        if self.outcome is None:
            return replace(self, rounds=tuple(self.kind.canonical(self.sound_rounds())))
        bare = self.outcome._replace(points=None)
        ending = self.kind.known_end(self.rules, bare)
        return (
            self
            if isinstance(ending, Illegal) or ending.points is None
            else replace(self, outcome=bare)
        )


def begin(
    record: Record, kind: Kind[RulesT, RoundT, GameT, ResultT]
) -> tuple[GameT, tuple[RoundT, ...]]:
    """The game of a record before its first round, and its rounds, typed by its kind.

    ValueError if it is of another kind, if a round can't be read, or if only the end of the game is
    known."""
    if record.kind is not kind:
        raise ValueError(f"this is a game of {record.game}, not {kind.name}")
    if record.outcome is not None:
        raise ValueError("only the end of the game is known, so it has no rounds")
    return record.start(), record.sound_rounds()


def with_names(record: Record, salts: Sequence[bytes]) -> Record:
    """The record with its names sealed by these salts, 16 random bytes for each seat; else
    ValueError."""
    if len(salts) != len(record.seats):
        raise ValueError(f"there are {len(record.seats)} seats, not {len(salts)}")
    return replace(record, names=tuple([Name(salt) for salt in salts]))


def read(line: bytes | str) -> Record | Illegal:
    """The record that a line of JSON holds; never an exception. A fault in its rounds waits in the
    record.

    Codes: `bad_json`, `bad_record`, `unknown_key`, `bad_handle`, `time_out_of_range`,
    `too_many_rounds`."""
    value = parse(line)
    return value if isinstance(value, Illegal) else read_value(value)


def parse(line: bytes | str) -> Json | Illegal:
    """The JSON value of a line, or `bad_json`: wrong UTF-8, a key given twice, NaN, nested too
    deep, …"""
    try:
        source = line if isinstance(line, str) else line.decode("utf-8")
        value: Json = json.loads(source, object_pairs_hook=_members, parse_constant=_no_number)
    except Refused as refused:
        return refused.illegal
    except UnicodeDecodeError as error:
        return _no_json(no_utf8(error))
    except json.JSONDecodeError as error:
        return _no_json(_json_fault(source, error.pos))
    except ValueError:  # Python reads no number of more digits than `sys.get_int_max_str_digits`
        return _no_json(say("a number has too many digits"))
    except RecursionError:
        return _no_json(say("nested too deeply"))
    return value


def _no_json(reason: Message) -> Illegal:
    return Illegal("bad_json", say("no JSON: {reason}", reason=reason))


def _json_fault(source: str, place: int) -> Message:
    """Tell what can't be read at a place of a text that should be JSON."""
    line = source.count("\n", 0, place) + 1
    column = place - source.rfind("\n", 0, place)
    if place >= len(source.rstrip()):
        return say(
            "the text ends too early, in line {line}, column {column}", line=line, column=column
        )
    sign = source[place]
    if sign == "\ufeff":
        return say(
            (
                "line {line}, column {column}: there is a byte order mark (U+FEFF) in the text; "
                "take it out"
            ),
            line=line,
            column=column,
        )
    if sign in QUOTATION_MARKS:
        return say(
            'line {line}, column {column}: write " instead of {sign}',
            line=line,
            column=column,
            sign=sign,
        )
    shown = f"“{sign}”" if sign.isprintable() else character_name(sign)
    return say(
        "line {line}, column {column}: {sign} doesn't belong there",
        line=line,
        column=column,
        sign=shown,
    )


def _members(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise Refused(_no_json(say("a key is given twice")))
    return members


def _no_number(name: str) -> NoReturn:
    raise Refused(_no_json(say("{name} is no number", name=name)))


def read_id(value: Json) -> str | None:
    """The id of what should be a record, None where there is none that could be used."""
    try:
        return text(value["id"], "id") if isinstance(value, dict) and "id" in value else None
    except Refused:
        return None


def read_kind(value: Json) -> AnyKind | None:
    """The kind of what should be a record, None where it can't be read."""
    game = value.get("game") if isinstance(value, dict) else None
    return KINDS.get(game) if isinstance(game, str) else None


def read_value(value: Json) -> Record | Illegal:
    """The record that a JSON value holds; a fault in its rounds waits in it. Codes as for
    `read`."""
    try:
        return _record(value)
    except Refused as refused:
        return refused.illegal


def _record(value: Json) -> Record:
    if not isinstance(value, dict):
        raise Refused(Illegal("bad_record", say("a record must be an object")))
    whole(_given(value, "v"), "v", range(VERSION, VERSION + 1))
    kind = one_of(_given(value, "game"), "game", KINDS)
    parts = _members_of(value, kind)
    if "seal" in parts:
        hexadecimal(parts["seal"], "seal")
    record = Record(
        record_id=text(parts["id"], "id"),
        kind=kind,
        rules=kind.read_rules(parts["rules"], "rules"),
        seats=(seats := _seats(parts["seats"], kind.seats)),
        opener=whole(parts["opener"], "opener", range(len(seats))),
        season=slug(parts["season"], "season") if "season" in parts else None,
        event=slug(parts["event"], "event") if "event" in parts else None,
        table=text(parts["table"], "table") if "table" in parts else None,
        played_at=moment(parts["played_at"], "played_at") if "played_at" in parts else None,
        rounds=tuple(
            values := _values(parts[kind.units], kind.units) if kind.units in parts else []
        ),
        result=_result(parts["result"], len(seats)) if "result" in parts else None,
        proof=read_proof(parts["proof"], len(seats), "proof") if "proof" in parts else None,
        names=read_names(parts["names"], len(seats), "names") if "names" in parts else None,
        reason=read_reason(parts["reason"], "reason") if "reason" in parts else None,
        voided=read_void(parts["voided"], "voided") if "voided" in parts else None,
        digests=each(parts["digests"], "digests", hexadecimal) if "digests" in parts else None,
        outcome=read_outcome(parts[OUTCOME], len(seats), OUTCOME) if OUTCOME in parts else None,
    )
    if (
        record.outcome is not None
        and record.digests is not None
        and len(record.digests) != SEALED_OUTCOME
    ):
        raise bad("digests", "must be two for an outcome: of the header and of the outcome")
    if record.names is None and ("digests" in parts or "seal" in parts):
        raise bad("names", "is missing: a record that brings digests brings its salts")
    rounds, fault = _rounds(values, kind, len(seats))
    return replace(record, rounds=rounds, fault=fault)


def _members_of(value: dict[str, Json], kind: AnyKind) -> dict[str, Json]:
    """The keys of the record: it tells its rounds or its outcome, and nothing of rounds beside an
    outcome."""
    played = OUTCOME if OUTCOME in value else kind.units
    parts = members(value, "", (*HEADER, played), (*OPTIONAL, kind.units))
    for key in (kind.units, *OF_ROUNDS):
        if played == OUTCOME and key in parts:
            raise bad(key, "doesn't go together with {keys}", keys=OUTCOME)
    return parts


def _values(value: Json, path: str) -> list[Json]:
    entries = items(value, path)
    endless = too_many_rounds(len(entries), path)
    if endless is not None:
        raise Refused(endless)
    return entries


def _rounds(
    values: list[Json], kind: AnyKind, seats: int
) -> tuple[tuple[Any, ...], Illegal | None]:
    """The rounds up to the first that can't be read to its end, and what is wrong with that one."""
    rounds: list[Any] = []
    moves = 0
    for i, value in enumerate(values):
        unit, fault = kind.read_round(value, seats, kind.path(i))
        if unit is not None:
            moves += kind.moves(unit)
            endless = too_many_moves(moves, kind.path(i))
            if endless is not None:
                return tuple(rounds), kind.at(i, endless)
            rounds.append(unit)
        if fault is not None:
            return tuple(rounds), kind.at(i, fault)
    return tuple(rounds), None


def _given(value: dict[str, Json], key: str) -> Json:
    """The version and the game come first: they say which keys there are."""
    if key not in value:
        raise bad(key, "is missing")
    return value[key]


def _seats(value: Json, size: range) -> tuple[str, ...]:
    handles = each(value, "seats", read_handle, size)
    for i, handle in enumerate(handles):
        if handle in handles[:i]:
            raise bad(f"seats[{i}]", "names a player twice")
    return handles


def _result(value: Json, seats: int) -> Result:
    parts = members(value, "result", (), ("rank", "points"))
    rank, points = (
        wholes(parts[key], join("result", key), seats) if key in parts else None
        for key in ("rank", "points")
    )
    return Result(rank, points)
