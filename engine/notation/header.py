"""The tags of a game in the text notation, one a line: `Seats: anna, bea, cem`."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from functools import partial
from typing import Final, cast

from engine.messages import Message, say
from engine.notation.lexer import (
    BLANK,
    DASHES,
    END,
    MARKS,
    MINUS,
    NAME,
    SPACE,
    STOP,
    TEXT,
    WHOLE,
    Cursor,
    NotationFault,
    TextLine,
    TextPlace,
    find_seat,
    name_of,
    nearest,
    players,
    with_path,
    write_name,
    write_text,
)
from engine.record.kinds import KINDS
from engine.record.outcome import KEY as OUTCOME
from engine.record.outcome import KnownEnd
from engine.record.record import VERSION, Record, read_kind, read_value
from engine.record.shape import Json, join

TAG: Final = re.compile(rf"{BLANK}*([A-Za-z]+){BLANK}*:{BLANK}*")
VALUE: Final = re.compile(f'(?![{MARKS}])[^"]*')
ITEM: Final = re.compile(f'(?![{MARKS}])[^",]*')
COMMA: Final = re.compile(rf"{BLANK}*,{BLANK}*")
KEY: Final = re.compile("[A-Za-z_]{1,64}")
IS: Final = re.compile(rf"{BLANK}*[=:]?{BLANK}*")
SETTING: Final = re.compile("[A-Za-z0-9_]{1,64}")
NUMBER: Final = re.compile(rf"[{MINUS}+]?[0-9]")
FIGURES: Final = re.compile(rf"(?:rank|points|dice|ended)(?![^{STOP}])", re.IGNORECASE)
"""Keys of an outcome that can follow the players who left; one of such a name stands in quotation
marks there."""
SWITCH: Final = {"yes": True, "no": False, "on": True, "off": False, "true": True, "false": False}

ENDED: Final = Message.of("{ended}", {"ended": "clock"})
EXPECTED: Final = {
    "game": Message.of("{games}", {"games": " or ".join(KINDS)}),
    "id": say("a text of 1 to 64 characters"),
    "rules": say("the settings of this game, such as exact all, reroll no"),
    "seats": say("the players clockwise, all different, with commas between them"),
    "opener": say("one of the players"),
    "season": say("a name of letters, digits, hyphens and underscores"),
    "event": say("a name of letters, digits, hyphens and underscores"),
    "table": say("a text of 1 to 64 characters"),
    "played_at": say("a time with its offset, such as 2026-09-01T19:30:00+02:00"),
    "result": say("rank and points, each one number for each seat"),
    "outcome": say("rank, and points where they are known, each one number for each seat"),
}
"""By the key of the record: what its tag holds."""


class Header:
    """The tags of one game, read one by one. `places` tells where the keys of the record stand."""

    def __init__(self) -> None:
        self.keys: dict[str, Json] = {"v": VERSION, "rules": {}}
        self.places: dict[str, TextPlace] = {}

    def read(self, row: TextLine, tag: re.Match[str]) -> None:
        """Read the line of a tag; raises `NotationFault`."""
        cursor = Cursor(row, tag.end())
        name = tag[1].lower()
        key = "played_at" if name == "played" else name
        if name not in READ or key in self.places:
            cursor.at = tag.start(1)
            missing = [name.capitalize() for name in READ if name not in self.places]
            raise cursor.fault(say("one of the tags {tags}", tags=", ".join(missing)))
        cursor.columns[key] = cursor.at + 1
        self.keys[key] = READ[name](cursor)
        cursor.end(say("the end of the line"))
        self.places |= {
            key: TextPlace(row.number, column) for key, column in cursor.columns.items()
        }

    def record(self, end: TextPlace) -> Record:
        """The record without its rounds; raises `NotationFault`, at `end` if a tag is missing."""
        keys = self._seated()
        kind = read_kind(keys)
        rounds: dict[str, Json] = {} if OUTCOME in keys else {kind.units if kind else "rounds": []}
        record = read_value(keys | rounds)
        if isinstance(record, Record):
            return record
        path = record.path or ""
        key = re.split(r"[.\[]", path)[0]
        place = nearest(self.places, path, end)
        expected = (
            EXPECTED[key] if key in self.places else say("the tag {tag}:", tag=key.capitalize())
        )
        raise NotationFault(place, expected, with_path(record), record.code)

    def _seated(self) -> dict[str, Json]:
        """Return what is recorded, the opener and who left by seat."""
        seats, opener, outcome = (
            self.keys.get("seats"),
            self.keys.get("opener"),
            self.keys.get(OUTCOME),
        )
        if not isinstance(seats, list) or not isinstance(opener, str):
            return self.keys
        handles = [str(handle) for handle in seats]
        keys = self.keys | {"opener": self._seat(opener, handles, "opener", EXPECTED["opener"])}
        if not isinstance(outcome, dict) or not isinstance(outcome.get("forfeit"), list):
            return keys
        leavers = [
            self._seat(name, handles, f"{OUTCOME}.forfeit[{number}]", players(handles))
            for number, name in enumerate(cast(list[str], outcome["forfeit"]))
        ]
        return keys | {OUTCOME: outcome | {"forfeit": list(leavers)}}

    def _seat(self, name: str, handles: Sequence[str], key: str, expected: Message) -> int:
        """The seat of a player who is named under a key; raises `NotationFault`."""
        seat = find_seat(name, handles)
        if seat is None:
            raise NotationFault(
                self.places[key],
                expected,
                say("“{key}” must be {players}", key=key, players=players(handles)),
            )
        return seat


def _read_text(cursor: Cursor) -> Json:
    """The text of the whole tag."""
    return _read_value(cursor, VALUE)


def _read_value(cursor: Cursor, bare: re.Pattern[str]) -> str:
    quoted = cursor.then(TEXT)
    if quoted is not None:
        return name_of(quoted)
    return cursor.need(bare, say("a text"))[0].strip(SPACE)


def _read_game(cursor: Cursor) -> Json:
    return str(_read_text(cursor)).lower().replace("ü", "ue")


def _read_seats(cursor: Cursor) -> Json:
    seats: list[Json] = []
    while True:
        cursor.columns[f"seats[{len(seats)}]"] = cursor.at + 1
        seats.append(_read_value(cursor, ITEM))
        if not cursor.then(COMMA):
            return seats


def _read_rules(cursor: Cursor) -> Json:
    rules: dict[str, Json] = {}
    while key := cursor.take(KEY):
        name = key[0].lower()
        if name in rules:
            cursor.at = key.start()
            raise cursor.fault(say("each rule once"))
        cursor.need(IS, say("="))
        cursor.columns[join("rules", name)] = cursor.at + 1
        rules[name] = _setting(
            cursor.need(SETTING, say("a setting such as all, yes, no or 5"))[0].lower()
        )
        cursor.need(END, say("a comma after the setting"))
    return rules


def _setting(word: str) -> Json:
    return int(word) if word.isdecimal() else SWITCH.get(word, word)


def _read_figures(tag: str, cursor: Cursor) -> Json:
    """Read ranks and points by seat; of an outcome who left, too, and how the game ended."""
    figures: dict[str, Json] = {}
    while key := cursor.take(KEY):
        name = key[0].lower()
        if name in figures:
            cursor.at = key.start()
            raise cursor.fault(say("rank and points each once"))
        cursor.mark(join(tag, name))
        figures[name] = (
            OF_OUTCOME[name](cursor)
            if tag == OUTCOME and name in OF_OUTCOME
            else list(_read_numbers(cursor))
        )
    return figures


def _read_leavers(cursor: Cursor) -> Json:
    """The players who left, by name."""
    names: list[Json] = []
    while True:
        cursor.mark(f"{OUTCOME}.forfeit[{len(names)}]")
        match = None if FIGURES.match(cursor.text, cursor.at) else cursor.take(NAME)
        if match is None:
            return names
        names.append(name_of(match))


def _read_ended(cursor: Cursor) -> Json:
    """The word for how the game ended."""
    cursor.skip()
    return cursor.need(KEY, ENDED)[0].lower()


def _read_numbers(cursor: Cursor) -> Iterator[Json]:
    cursor.skip()
    while NUMBER.match(cursor.text, cursor.at):
        yield int(cursor.need(WHOLE, say("a number"))[0].translate(DASHES))
        cursor.need(END, say("a number of at most 16 digits"))
        cursor.skip()


OF_OUTCOME: Final[dict[str, Callable[[Cursor], Json]]] = {
    "forfeit": _read_leavers,
    "ended": _read_ended,
}
"""By its key: what reads a part of an outcome that has no number for each seat."""
READ: Final[dict[str, Callable[[Cursor], Json]]] = {
    "game": _read_game,
    "id": _read_text,
    "rules": _read_rules,
    "seats": _read_seats,
    "opener": _read_text,
    "season": _read_text,
    "event": _read_text,
    "table": _read_text,
    "played": _read_text,
    "result": partial(_read_figures, "result"),
    OUTCOME: partial(_read_figures, OUTCOME),
}
"""By its tag in small letters: what reads the value of a key."""


def write_header(record: Record) -> list[str]:
    """The tags of a record but its result and its outcome, one a line."""
    tags = {
        "game": record.game,
        "id": write_text(record.record_id),
        "rules": ", ".join(
            [f"{key} {_write_setting(value)}" for key, value in asdict(record.rules).items()]
        ),
        "seats": ", ".join(map(write_text, record.seats)),
        "opener": write_text(record.seats[record.opener]),
    }
    optional = {
        "season": record.season,
        "event": record.event,
        "table": record.table,
        "played": record.played_at,
    }
    tags |= {key: write_text(text) for key, text in optional.items() if text is not None}
    return [f"{key.capitalize()}: {text}" for key, text in tags.items()]


def _write_setting(value: Json) -> str:
    return ("no", "yes")[value] if isinstance(value, bool) else str(value)


def write_end(record: Record) -> list[str]:
    """The outcome of a record as a line, or its result, if it claims one."""
    if record.outcome is not None:
        return [_write_outcome(record.outcome, record.seats)]
    return (
        []
        if record.result is None
        else [_write_figures("Result", record.result.rank, record.result.points)]
    )


def _write_outcome(outcome: KnownEnd, handles: Sequence[str]) -> str:
    """The outcome as a line; a player who left and is called like a key of it in quotation
    marks."""
    parts = [_write_figures("Outcome", outcome.rank, outcome.points)]
    if outcome.dice is not None:
        parts.append(f"dice {' '.join(map(str, outcome.dice))}")
    if outcome.forfeit:
        leavers = [handles[seat] for seat in outcome.forfeit]
        names = [f'"{name}"' if FIGURES.fullmatch(name) else write_name(name) for name in leavers]
        parts.append(f"forfeit {' '.join(names)}")
    if outcome.ended is not None:
        parts.append(f"ended {outcome.ended}")
    return ", ".join(parts)


def _write_figures(tag: str, rank: Sequence[int] | None, points: Sequence[int] | None) -> str:
    claims = [("rank", rank), ("points", points)]
    figures = [
        f"{key} {' '.join(map(str, numbers))}" for key, numbers in claims if numbers is not None
    ]
    return f"{tag}: {', '.join(figures)}".rstrip(SPACE)
