"""The game record, version 1: its header, read from one line of JSON."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NoReturn

from engine.dice.proof import Proof
from engine.illegal import Illegal
from engine.record.bluff import format as bluff
from engine.record.format import Format, Rules
from engine.record.kniffel import format as kniffel
from engine.record.proof import read_digest, read_digests, read_proof
from engine.record.shape import (
    Fault,
    Json,
    bad,
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
FORMATS: Final[Mapping[str, Format]] = {
    "bluff": bluff.FORMAT,
    "luegen-kniffel": kniffel.FORMAT,
}
"""The games that can be recorded."""
OPTIONAL: Final = ("season", "event", "table", "played_at", "result", "proof", "digests", "seal")


@dataclass(frozen=True, slots=True)
class Result:
    """The result that a record claims, in seat order; None for what it doesn't claim."""

    rank: tuple[int, ...] | None
    points: tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class Record:
    """One game: its header, and its rounds (turns) still as JSON, which the checker reads one by one.

    `proof` and `digests` are what it claims of itself; `engine.record.verify` tells whether it is true, and whether
    the line still is what its `seal` says. The checker judges none of the three.
    """

    id: str
    game: str
    rules: Rules
    seats: tuple[str, ...]
    opener: int
    season: str | None
    event: str | None
    table: str | None
    played_at: str | None
    rounds: tuple[Json, ...]
    result: Result | None
    proof: Proof | None = None
    digests: tuple[bytes, ...] | None = None


def read(line: bytes | str) -> Record | Illegal:
    """The record that a line of JSON holds, its rounds unread; never an exception.

    Codes: `bad_json`, `bad_record`, `unknown_key`.
    """
    value = parse(line)
    return value if isinstance(value, Illegal) else read_header(value)


def parse(line: bytes | str) -> Json | Illegal:
    """The JSON value of a line, or `bad_json`: wrong UTF-8, a key given twice, NaN, nested too deep, …"""
    try:
        source = line if isinstance(line, str) else line.decode("utf-8")
        value: Json = json.loads(source, object_pairs_hook=_members, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        reason = "nested too deep" if isinstance(error, RecursionError) else str(error)
        return Illegal("bad_json", f"no JSON: {reason}")
    return value


def _members(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise ValueError("a key is given twice")
    return members


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")


def read_id(value: Json) -> str | None:
    """The id of what should be a record, None where there is none that could be used."""
    try:
        return text(value["id"], "id") if isinstance(value, dict) and "id" in value else None
    except Fault:
        return None


def read_game(value: Json) -> str:
    """The game of what should be a record, `bluff` where it can't be read."""
    game = value.get("game") if isinstance(value, dict) else None
    return game if isinstance(game, str) and game in FORMATS else "bluff"


def read_header(value: Json) -> Record | Illegal:
    """The record that a JSON value holds, its rounds unread. Codes: `bad_record`, `unknown_key`."""
    try:
        return _header(value)
    except Fault as fault:
        return fault.illegal


def _header(value: Json) -> Record:
    if not isinstance(value, dict):
        raise Fault(Illegal("bad_record", "a record must be an object"))
    whole(_given(value, "v"), "v", range(VERSION, VERSION + 1))
    game = one_of(_given(value, "game"), "game", {name: name for name in FORMATS})
    form = FORMATS[game]
    required = ("v", "id", "game", "rules", "seats", "opener", form.unit)
    told = members(value, "", required, OPTIONAL)
    if "seal" in told:
        read_digest(told["seal"], "seal")
    return Record(
        id=text(told["id"], "id"),
        game=game,
        rules=form.read_rules(told["rules"], "rules"),
        seats=(seats := _seats(told["seats"], form.seats)),
        opener=whole(told["opener"], "opener", range(len(seats))),
        season=slug(told["season"], "season") if "season" in told else None,
        event=slug(told["event"], "event") if "event" in told else None,
        table=text(told["table"], "table") if "table" in told else None,
        played_at=moment(told["played_at"], "played_at") if "played_at" in told else None,
        rounds=tuple(items(told[form.unit], form.unit)),
        result=_result(told["result"], len(seats)) if "result" in told else None,
        proof=read_proof(told["proof"], len(seats), "proof") if "proof" in told else None,
        digests=read_digests(told["digests"], "digests") if "digests" in told else None,
    )


def _given(value: dict[str, Json], key: str) -> Json:
    """The version and the game come first: they say which keys there are."""
    if key not in value:
        raise bad(key, "is missing")
    return value[key]


def _seats(value: Json, size: range) -> tuple[str, ...]:
    handles = tuple([text(entry, f"seats[{i}]") for i, entry in enumerate(items(value, "seats", size))])
    for i, handle in enumerate(handles):
        if handle in handles[:i]:
            raise bad(f"seats[{i}]", "names a player twice")
    return handles


def _result(value: Json, seats: int) -> Result:
    told = members(value, "result", (), ("rank", "points"))
    rank, points = (
        wholes(told[key], join("result", key), seats) if key in told else None for key in ("rank", "points")
    )
    return Result(rank, points)
