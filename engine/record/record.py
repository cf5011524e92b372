"""The game record, version 1: one game, read from one line of JSON."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final, NoReturn, TypeVar

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
    one_of,
    slug,
    text,
    timestamp,
    whole,
    wholes,
)

T = TypeVar("T")

VERSION: Final = 1
QUOTATION_MARKS: Final = "“”„‟«»‘’‚‹›"
"""Characters that phones and word processors insert instead of JSON's quotation mark."""
HEADER: Final = ("v", "id", "game", "rules", "seats", "opener")
OPTIONAL: Final = (
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
)
OF_ROUNDS: Final = ("result", "proof")
"""Optional keys about rounds (turns), which can't be combined with an outcome."""
SEALED_OUTCOME: Final = 2
"""The number of digests of a game of which only the end is known: of its header and its outcome."""


@dataclass(frozen=True, slots=True)
class Result:
    """The result that a record claims, in seat order; None for what it doesn't claim."""

    rank: tuple[int, ...] | None
    points: tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class Record:
    """One game as recorded: its header, and its rounds (turns) or its outcome.

    `rules` and `rounds` have the types of its `kind`. `outcome` is set for a game of which only the
    end is known; such a game has no rounds. `fault` is the first unreadable thing in the rounds,
    with its place; `rounds` then holds the rounds before it, and the readable part of the faulty
    one if the kind keeps that. `names` says how the handles in `seats` are sealed; without it the
    record has no digests. `reason` says why it corrects another record, where that is sealed.
    `voided` marks a game that doesn't count where it was entered.

    `proof`, `digests` and the `seal` of the line are claims. The checker doesn't judge them;
    `engine.record.verify` does.
    """

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
        """Return the name of its kind, the value of the key `game`."""
        return self.kind.name

    @property
    def instant(self) -> datetime | None:
        """Return the time at which the game was played; None if that isn't recorded."""
        if not self.played_at:
            return None
        return datetime.fromisoformat(self.played_at.upper())

    def start(self) -> Any:
        """Return the game before its first round, in the type of its kind."""
        return self.kind.start(self.rules, len(self.seats), self.opener)

    def sound_rounds(self) -> tuple[Any, ...]:
        """Return all rounds. Raise ValueError if one can't be read."""
        if self.fault is not None:
            raise ValueError(f"{self.fault.path} {self.fault.message}")
        return self.rounds

    def first(self, rounds: int) -> "Record":
        """Return the game after its first rounds, without a result or an outcome."""
        return replace(self, rounds=self.rounds[:rounds], result=None, outcome=None, fault=None)

    def canonical(self) -> "Record":
        """Return the same game without redundant facts in its rounds or outcome.

        The record must be valid. Raise ValueError if a round can't be read.
        """
        if self.outcome is None:
            return replace(self, rounds=tuple(self.kind.canonical(self.sound_rounds())))
        without_points = self.outcome._replace(points=None)
        ending = self.kind.known_end(self.rules, without_points)
        if isinstance(ending, Illegal) or ending.points is None:
            return self
        return replace(self, outcome=without_points)


def begin(
    record: Record, kind: Kind[RulesT, RoundT, GameT, ResultT]
) -> tuple[GameT, tuple[RoundT, ...]]:
    """Return a game before its first round, and its rounds, in the types of `kind`.

    Raise ValueError if the record is of another kind, if a round can't be read, or if only the end
    of the game is known.
    """
    if record.kind is not kind:
        raise ValueError(f"this is a game of {record.game}, not {kind.name}")
    if record.outcome is not None:
        raise ValueError("only the end of the game is known, so it has no rounds")
    return record.start(), record.sound_rounds()


def with_names(record: Record, salts: Sequence[bytes]) -> Record:
    """Return the record with its names sealed by these salts of 16 random bytes, one for each seat.

    Raise ValueError for another number of salts.
    """
    if len(salts) != len(record.seats):
        raise ValueError(f"there are {len(record.seats)} seats, not {len(salts)}")
    return replace(record, names=tuple([Name(salt) for salt in salts]))


def read(line: bytes | str) -> Record | Illegal:
    """Return the record in a line, or its fault. A fault in the rounds is kept in the record.

    Codes: `bad_json`, `bad_record`, `unknown_key`, `bad_handle`, `time_out_of_range`,
    `too_many_rounds`.
    """
    value = parse(line)
    if isinstance(value, Illegal):
        return value
    return read_value(value)


def parse(line: bytes | str) -> Json | Illegal:
    """Return the JSON value of a line.

    Return `bad_json` for wrong UTF-8, a key given twice, NaN, too deep nesting and the like.
    """
    try:
        source = line if isinstance(line, str) else line.decode("utf-8")
        value: Json = json.loads(
            source, object_pairs_hook=_unique_members, parse_constant=_no_number
        )
    except Refused as refused:
        return refused.illegal
    except UnicodeDecodeError as error:
        return _no_json(no_utf8(error))
    except json.JSONDecodeError as error:
        return _no_json(_json_fault(source, error.pos))
    except ValueError:  # Python refuses numbers with more than `sys.get_int_max_str_digits` digits
        return _no_json(say("a number has too many digits"))
    except RecursionError:
        return _no_json(say("nested too deeply"))
    return value


def _no_json(reason: Message) -> Illegal:
    return Illegal("bad_json", say("not JSON: {reason}", reason=reason))


def _json_fault(source: str, place: int) -> Message:
    line = source.count("\n", 0, place) + 1
    column = place - source.rfind("\n", 0, place)
    if place >= len(source.rstrip()):
        return say(
            "the text ends too early, in line {line}, column {column}", line=line, column=column
        )

    sign = source[place]
    if sign == "\ufeff":
        return say(
            "line {line}, column {column}: there is a byte order mark (U+FEFF) in the text; "
            "remove it",
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


def _unique_members(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise Refused(_no_json(say("a key is given twice")))
    return members


def _no_number(name: str) -> NoReturn:
    """Raise `Refused` for NaN and Infinity, which Python's JSON parser would accept."""
    raise Refused(_no_json(say("{name} isn't a number", name=name)))


def read_id(value: Json) -> str | None:
    """Return the id of a value that should be a record; None if it has no usable one."""
    if not isinstance(value, dict) or "id" not in value:
        return None
    try:
        return text(value["id"], "id")
    except Refused:
        return None


def read_kind(value: Json) -> AnyKind | None:
    """Return the kind of a value that should be a record; None if it can't be read."""
    if not isinstance(value, dict):
        return None
    game = value.get("game")
    return KINDS.get(game) if isinstance(game, str) else None


def read_value(value: Json) -> Record | Illegal:
    """Return the record in a JSON value, or its fault. A fault in the rounds is kept in the record.

    Codes: `bad_record`, `unknown_key`, `bad_handle`, `time_out_of_range`, `too_many_rounds`.
    """
    try:
        return _record(value)
    except Refused as refused:
        return refused.illegal


def _record(value: Json) -> Record:
    """Return the record in a JSON value, with the fault of a round in it; raise `Refused` for any
    other fault."""
    if not isinstance(value, dict):
        raise Refused(Illegal("bad_record", say("a record must be an object")))
    # The version and the game come first: the allowed keys depend on them.
    whole(_required(value, "v"), "v", range(VERSION, VERSION + 1))
    kind = one_of(_required(value, "game"), "game", KINDS)
    parts = _members_of(value, kind)
    if "seal" in parts:
        hexadecimal(parts["seal"], "seal")

    # The first fault in this order is the one reported.
    record_id = text(parts["id"], "id")
    rules = kind.read_rules(parts["rules"], "rules")
    seats = _seats(parts["seats"], kind.seats)
    number = len(seats)
    opener = whole(parts["opener"], "opener", range(number))

    def optional(key: str, read_part: Callable[[Json, str], T]) -> T | None:
        return read_part(parts[key], key) if key in parts else None

    def optional_by_seat(key: str, read_part: Callable[[Json, int, str], T]) -> T | None:
        return read_part(parts[key], number, key) if key in parts else None

    season = optional("season", slug)
    event = optional("event", slug)
    table = optional("table", text)
    played_at = optional("played_at", timestamp)
    round_values = optional(kind.units, _round_values) or []
    record = Record(
        record_id=record_id,
        kind=kind,
        rules=rules,
        seats=seats,
        opener=opener,
        season=season,
        event=event,
        table=table,
        played_at=played_at,
        rounds=(),
        result=optional_by_seat("result", _result),
        proof=optional_by_seat("proof", read_proof),
        names=optional_by_seat("names", read_names),
        reason=optional("reason", read_reason),
        voided=optional("voided", read_void),
        digests=optional("digests", _digests),
        outcome=optional_by_seat(OUTCOME, read_outcome),
    )
    _check_digests(record, parts)
    rounds, fault = _rounds(round_values, kind, number)
    return replace(record, rounds=rounds, fault=fault)


def _digests(value: Json, path: str) -> tuple[bytes, ...]:
    return each(value, path, hexadecimal)


def _check_digests(record: Record, parts: dict[str, Json]) -> None:
    digests = record.digests or ()
    if record.outcome is not None and "digests" in parts and len(digests) != SEALED_OUTCOME:
        raise bad("digests", "must be two for an outcome: of the header and of the outcome")
    if record.names is None and ("digests" in parts or "seal" in parts):
        raise bad("names", "is missing: a record with digests must have its salts")


def _members_of(value: dict[str, Json], kind: AnyKind) -> dict[str, Json]:
    played = OUTCOME if OUTCOME in value else kind.units
    parts = members(value, "", (*HEADER, played), (*OPTIONAL, kind.units))
    if played == OUTCOME:
        for key in (kind.units, *OF_ROUNDS):
            if key in parts:
                raise bad(key, "can't be combined with {keys}", keys=OUTCOME)
    return parts


def _round_values(value: Json, path: str) -> list[Json]:
    entries = items(value, path)
    too_many = too_many_rounds(len(entries), path)
    if too_many is not None:
        raise Refused(too_many)
    return entries


def _rounds(
    values: list[Json], kind: AnyKind, seats: int
) -> tuple[tuple[Any, ...], Illegal | None]:
    """Return the rounds up to the first one that can't be read completely, with its readable part,
    and its fault."""
    rounds: list[Any] = []
    moves = 0
    for i, value in enumerate(values):
        unit, fault = kind.read_round(value, seats, kind.path(i))
        if unit is not None:
            moves += kind.moves(unit)
            too_many = too_many_moves(moves, kind.path(i))
            if too_many is not None:
                return tuple(rounds), kind.at(i, too_many)
            rounds.append(unit)
        if fault is not None:
            return tuple(rounds), kind.at(i, fault)
    return tuple(rounds), None


def _required(value: dict[str, Json], key: str) -> Json:
    if key not in value:
        raise bad(key, "is missing")
    return value[key]


def _seats(value: Json, size: range) -> tuple[str, ...]:
    handles = each(value, "seats", read_handle, size)
    for i, handle in enumerate(handles):
        if handle in handles[:i]:
            raise bad(f"seats[{i}]", "names a player twice")
    return handles


def _result(value: Json, seats: int, path: str) -> Result:
    parts = members(value, path, (), ("rank", "points"))
    rank = None
    if "rank" in parts:
        rank = wholes(parts["rank"], join(path, "rank"), seats)
    points = None
    if "points" in parts:
        points = wholes(parts["points"], join(path, "points"), seats)
    return Result(rank, points)
