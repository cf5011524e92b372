"""The tags of a game in the text notation, one a line: `Seats: anna, bea, cem`."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from functools import partial
from typing import Final

from engine.messages import Message, say
from engine.notation.lexer import (
    BLANK,
    DASHES,
    END,
    MINUS,
    SPACE,
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
    write_text,
)
from engine.record.kinds import KINDS
from engine.record.outcome import KEY as OUTCOME
from engine.record.record import VERSION, Record, read_kind, read_value
from engine.record.shape import Json, join

TAG: Final = re.compile(rf"{BLANK}*([A-Za-z]+){BLANK}*:{BLANK}*")
VALUE: Final = re.compile('[^"]*')
ITEM: Final = re.compile('[^",]*')
COMMA: Final = re.compile(rf"{BLANK}*,{BLANK}*")
KEY: Final = re.compile("[A-Za-z_]{1,64}")
IS: Final = re.compile(rf"{BLANK}*[=:]?{BLANK}*")
SETTING: Final = re.compile("[A-Za-z0-9_]{1,64}")
NUMBER: Final = re.compile(rf"[{MINUS}+]?[0-9]")
SWITCH: Final = {"yes": True, "no": False, "on": True, "off": False, "true": True, "false": False}

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
        self.places |= {key: TextPlace(row.number, column) for key, column in cursor.columns.items()}

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
        expected = EXPECTED[key] if key in self.places else say("the tag {tag}:", tag=key.capitalize())
        raise NotationFault(place, expected, with_path(record), record.code)

    def _seated(self) -> dict[str, Json]:
        """Return what is recorded, the opener by seat."""
        seats, opener = self.keys.get("seats"), self.keys.get("opener")
        if not isinstance(seats, list) or not isinstance(opener, str):
            return self.keys
        handles = [str(handle) for handle in seats]
        seat = find_seat(opener, handles)
        if seat is None:
            message = say("“opener” must be {players}", players=players(handles))
            raise NotationFault(self.places["opener"], EXPECTED["opener"], message)
        return self.keys | {"opener": seat}


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
        rules[name] = _setting(cursor.need(SETTING, say("a setting such as all, yes, no or 5"))[0].lower())
        cursor.need(END, say("a comma after the setting"))
    return rules


def _setting(word: str) -> Json:
    return int(word) if word.isdecimal() else SWITCH.get(word, word)


def _read_figures(tag: str, cursor: Cursor) -> Json:
    """Read ranks and points by seat."""
    figures: dict[str, Json] = {}
    while key := cursor.take(KEY):
        name = key[0].lower()
        if name in figures:
            cursor.at = key.start()
            raise cursor.fault(say("rank and points each once"))
        cursor.mark(join(tag, name))
        figures[name] = list(_read_numbers(cursor))
    return figures


def _read_numbers(cursor: Cursor) -> Iterator[Json]:
    cursor.skip()
    while NUMBER.match(cursor.text, cursor.at):
        yield int(cursor.need(WHOLE, say("a number"))[0].translate(DASHES))
        cursor.need(END, say("a number of at most 16 digits"))
        cursor.skip()


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
        "rules": ", ".join([f"{key} {_write_setting(value)}" for key, value in asdict(record.rules).items()]),
        "seats": ", ".join(map(write_text, record.seats)),
        "opener": write_text(record.seats[record.opener]),
    }
    optional = {"season": record.season, "event": record.event, "table": record.table, "played": record.played_at}
    tags |= {key: write_text(text) for key, text in optional.items() if text is not None}
    return [f"{key.capitalize()}: {text}" for key, text in tags.items()]


def _write_setting(value: Json) -> str:
    return ("no", "yes")[value] if isinstance(value, bool) else str(value)


def write_end(record: Record) -> list[str]:
    """The outcome of a record as a line, or its result, if it claims one."""
    if record.outcome is not None:
        return [_write_figures("Outcome", *record.outcome)]
    return [] if record.result is None else [_write_figures("Result", record.result.rank, record.result.points)]


def _write_figures(tag: str, rank: Sequence[int] | None, points: Sequence[int] | None) -> str:
    claims = [("rank", rank), ("points", points)]
    figures = [f"{key} {' '.join(map(str, numbers))}" for key, numbers in claims if numbers is not None]
    return f"{tag}: {', '.join(figures)}".rstrip(SPACE)
