"""The draw file, version 1: one draw's input, or its answer, as one line of JSON."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import comb
from typing import Final, TypeVar

from engine.illegal import Illegal, Refused
from engine.pairing.answer import Draw
from engine.pairing.cost import ordered
from engine.pairing.draw_input import Apart, DrawInput, Floating, Participant, Strictness, TableIds
from engine.record.canonical import canonical_json
from engine.record.kinds import SEATS
from engine.record.lines import Limits
from engine.record.record import parse
from engine.record.shape import (
    Json,
    Object,
    bad,
    each,
    items,
    members,
    one_of,
    text,
    truth,
    whole,
    without_blanks,
)

T = TypeVar("T")

VERSION: Final = 1
PLAYERS: Final = range(20_001)
"""How many players one draw can seat: twice the largest draw that is measured."""
ROUNDS: Final = range(1, 201)
"""How many rounds a stage may plan or have played."""
TABLE: Final = range(65)
"""How many players a played table may have: more than any table seats, yet few enough for all
pairs."""
MEETINGS: Final = 2_000_000
"""How many pairs all played tables may have: some eight times those of the largest stage
measured."""
PAIRS: Final = range(100_001)
"""How many pairs may be kept apart."""
SCORES: Final = range(-1_000_000, 1_000_001)
"""Scores whose squared differences, over all pairs of a draw, fit into 64 bits."""
COUNTS: Final = range(1001)
"""How often a player may have sat out, sat at a short table, or sat in a seat."""
LINES: Final = Limits(line=1 << 26)
"""Limits for reading a file of draws: a line holds all rounds of the largest stage."""
FLOATS: Final[dict[str, Floating]] = {"up": "up", "down": "down"}
STRICTNESS: Final[dict[str, Strictness]] = {"must": "must", "wish": "wish"}
KEYS: Final = ("v", "sizes", "seed", "players")
OPTIONAL: Final = (
    "rounds",
    "played",
    "apart",
    "bye",
    "design",
    "chairs",
    "labels",
    "meetings_first",
)


def read_draw(line: bytes | str) -> DrawInput | Illegal:
    """Return the draw input in a line of JSON. Errors: `bad_json`, `bad_draw`, `unknown_key`."""
    value = parse(line)
    if isinstance(value, Illegal):
        return value
    return input_of(value)


def input_of(value: Json) -> DrawInput | Illegal:
    """Return the draw input in a parsed line. Errors: `bad_draw`, `unknown_key`."""
    try:
        return _input(value)
    except Refused as refused:
        fault = refused.illegal
        if fault.code == "bad_record":
            return replace(fault, code="bad_draw")
        return fault


def write_draw(draw_input: DrawInput) -> bytes:
    """Return an input as a line of canonical JSON without its line end; `read_draw` reads it
    back."""
    value: Object = {
        "v": VERSION,
        "sizes": list(draw_input.sizes),
        "seed": draw_input.seed,
        "players": [_player_json(player) for player in draw_input.participants],
    }
    optional = without_blanks(
        {
            "rounds": draw_input.rounds,
            "played": [[list(table) for table in tables] for tables in draw_input.played],
            "apart": [_pair_json(pair) for pair in draw_input.apart],
            "bye": draw_input.bye,
            "design": draw_input.design,
            "chairs": list(draw_input.chairs),
            "labels": draw_input.labels,
            "meetings_first": draw_input.meetings_first,
        }
    )
    return canonical_json(value | optional)


def _pair_json(pair: Apart) -> Json:
    if pair.must:
        return [pair.first, pair.second, "must"]
    return [pair.first, pair.second]


def write_answer(answer: Draw | Illegal) -> bytes:
    """Return the answer of a draw, or its error, as a line of canonical JSON without its end."""
    if isinstance(answer, Illegal):
        return canonical_json({"ok": False, "error": dict(answer.as_json())})
    return canonical_json(answer.as_json())


def _player_json(player: Participant) -> Object:
    value: Object = {"id": player.player_id, "score": player.score}
    return value | without_blanks(
        {
            "byes": player.byes or None,
            "short": player.short or None,
            "label": player.label or None,
            "seats": list(player.seats),
            "floats": player.floats,
            "unknown": player.unknown or None,
        }
    )


def _input(value: Json) -> DrawInput:
    parts = members(value, "", KEYS, OPTIONAL)
    whole(parts["v"], "v", range(VERSION, VERSION + 1))
    sizes = _sizes(parts["sizes"])
    seed = text(parts["seed"], "seed")
    participants = _participants(parts["players"])
    rounds = None
    if "rounds" in parts:
        rounds = whole(parts["rounds"], "rounds", ROUNDS)
    played = _played(parts.get("played", []))
    apart = _apart(parts.get("apart", []))
    bye = truth(parts.get("bye", False), "bye")
    design = None
    if "design" in parts:
        design = text(parts["design"], "design")
    chairs = _chairs(parts.get("chairs", []))
    labels = None
    if "labels" in parts:
        labels = one_of(parts["labels"], "labels", STRICTNESS)
    meetings_first = truth(parts.get("meetings_first", False), "meetings_first")
    if rounds is not None and rounds <= len(played):
        raise bad("rounds", "must be more than the {number} that were played", number=len(played))
    return DrawInput(
        sizes=sizes,
        seed=seed,
        participants=participants,
        rounds=rounds,
        played=played,
        apart=apart,
        bye=bye,
        design=design,
        chairs=chairs,
        labels=labels,
        meetings_first=meetings_first,
    )


def _chairs(value: Json) -> TableIds:
    ids = each(value, "chairs", text, PLAYERS)
    return _distinct(ids, lambda i: f"chairs[{i}]")


def _sizes(value: Json) -> tuple[int, ...]:
    entries = items(value, "sizes", range(1, len(SEATS) + 1))
    sizes = [whole(entry, f"sizes[{i}]", SEATS) for i, entry in enumerate(entries)]
    return _distinct(sizes, lambda i: f"sizes[{i}]")


def _participants(value: Json) -> tuple[Participant, ...]:
    participants = each(value, "players", _participant, PLAYERS)
    _distinct([player.player_id for player in participants], lambda i: f"players[{i}].id")
    return participants


def _participant(value: Json, path: str) -> Participant:
    parts = members(
        value, path, ("id", "score"), ("byes", "short", "seats", "floats", "label", "unknown")
    )
    seats = items(parts.get("seats", []), f"{path}.seats", range(SEATS[-1] + 1))
    player_id = text(parts["id"], f"{path}.id")
    score = whole(parts["score"], f"{path}.score", SCORES)
    byes = _optional_count(parts, "byes", path, COUNTS)
    short = _optional_count(parts, "short", path, COUNTS)
    seat_counts = [whole(count, f"{path}.seats[{i}]", COUNTS) for i, count in enumerate(seats)]
    floats = None
    if "floats" in parts:
        floats = one_of(parts["floats"], f"{path}.floats", FLOATS)
    return Participant(
        player_id=player_id,
        score=score,
        byes=byes,
        short=short,
        seats=tuple(seat_counts),
        floats=floats,
        label=_optional_count(parts, "label", path, PLAYERS),
        unknown=_optional_count(parts, "unknown", path, COUNTS),
    )


def _optional_count(parts: Object, key: str, path: str, allowed: range) -> int:
    return whole(parts.get(key, 0), f"{path}.{key}", allowed)


def _played(value: Json) -> tuple[tuple[TableIds, ...], ...]:
    # The draw is for one more round, so fewer rounds than the most were played.
    played = each(value, "played", _round, range(ROUNDS[-1]))
    pairs = 0
    for tables in played:
        pairs += sum([comb(len(table), 2) for table in tables])
    if pairs > MEETINGS:
        raise bad("played", "are more than {most} meetings", most=MEETINGS)
    return played


def _round(value: Json, path: str) -> tuple[TableIds, ...]:
    tables = each(value, path, _table, PLAYERS)
    ids: list[str] = []
    paths: list[str] = []
    for i, table in enumerate(tables):
        ids += table
        paths += [f"{path}[{i}][{seat}]" for seat in range(len(table))]
    _distinct(ids, paths.__getitem__)
    return tables


def _table(value: Json, path: str) -> TableIds:
    return each(value, path, text, TABLE)


def _apart(value: Json) -> tuple[Apart, ...]:
    pairs = each(value, "apart", _pair, PAIRS)
    _distinct([ordered(pair.first, pair.second) for pair in pairs], lambda i: f"apart[{i}]")
    return pairs


def _pair(value: Json, path: str) -> Apart:
    first, second, *strength = items(value, path, range(2, 4))
    ids = [text(first, f"{path}[0]"), text(second, f"{path}[1]")]
    first_id, second_id = _distinct(ids, lambda i: f"{path}[{i}]")
    must = bool(strength) and one_of(strength[0], f"{path}[2]", STRICTNESS) == "must"
    return Apart(first_id, second_id, must)


def _distinct(values: Sequence[T], path: Callable[[int], str]) -> tuple[T, ...]:
    seen: set[T] = set()
    for i, value in enumerate(values):
        if value in seen:
            raise bad(path(i), "is listed twice")
        seen.add(value)
    return tuple(values)
