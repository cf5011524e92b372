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
KEY_AFTER_LEAVERS: Final = re.compile(rf"(?:rank|points|dice|ended)(?![^{STOP}])", re.IGNORECASE)
"""Keys of an outcome that can follow the players who left; a player of such a name is in quotation
marks there.
"""
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
"""What a tag holds, by the key of the record."""


class Header:
    """The tags of one game, read one by one.

    `places` are the places of the record's keys in the text.
    """

    def __init__(self) -> None:
        self.keys: dict[str, Json] = {"v": VERSION, "rules": {}}
        self.places: dict[str, TextPlace] = {}

    def read(self, row: TextLine, tag: re.Match[str]) -> None:
        """Read the line of a tag. Raise `NotationFault`."""
        cursor = Cursor(row, tag.end())
        name = tag[1].lower()
        key = "played_at" if name == "played" else name
        if name not in TAG_READERS or key in self.places:
            cursor.at = tag.start(1)
            missing = [name.capitalize() for name in TAG_READERS if name not in self.places]
            raise cursor.fault(say("one of the tags {tags}", tags=", ".join(missing)))
        cursor.columns[key] = cursor.at + 1
        self.keys[key] = TAG_READERS[name](cursor)
        cursor.end(say("the end of the line"))
        for path, column in cursor.columns.items():
            self.places[path] = TextPlace(row.number, column)

    def record(self, end: TextPlace) -> Record:
        """Return the record without its rounds.

        Raise `NotationFault`, at `end` if a tag is missing.
        """
        keys = self._keys_with_seats()
        if OUTCOME not in keys:
            kind = read_kind(keys)
            keys[kind.units if kind else "rounds"] = []
        record = read_value(keys)
        if isinstance(record, Record):
            return record
        path = record.path or ""
        key = re.split(r"[.\[]", path)[0]
        missing_tag = say("the tag {tag}:", tag=key.capitalize())
        expected = EXPECTED[key] if key in self.places else missing_tag
        raise NotationFault(
            nearest(self.places, path, end), expected, with_path(record), record.code
        )

    def _keys_with_seats(self) -> dict[str, Json]:
        keys = dict(self.keys)
        seats = keys.get("seats")
        opener = keys.get("opener")
        if not isinstance(seats, list) or not isinstance(opener, str):
            return keys
        handles = [str(handle) for handle in seats]
        keys["opener"] = self._seat(opener, handles, "opener", EXPECTED["opener"])

        outcome = keys.get(OUTCOME)
        if not isinstance(outcome, dict):
            return keys
        names = outcome.get("forfeit")
        if not isinstance(names, list):
            return keys
        leavers: list[Json] = []
        for number, name in enumerate(names):
            path = f"{OUTCOME}.forfeit[{number}]"
            leavers.append(self._seat(str(name), handles, path, players(handles)))
        keys[OUTCOME] = {**outcome, "forfeit": leavers}
        return keys

    def _seat(self, name: str, handles: Sequence[str], path: str, expected: Message) -> int:
        seat = find_seat(name, handles)
        if seat is None:
            raise NotationFault(
                self.places[path],
                expected,
                say("“{key}” must be {players}", key=path, players=players(handles)),
            )
        return seat


def _read_text(cursor: Cursor) -> Json:
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
        word = cursor.need(SETTING, say("a setting such as all, yes, no or 5"))[0].lower()
        rules[name] = int(word) if word.isdecimal() else SWITCH.get(word, word)
        cursor.need(END, say("a comma after the setting"))
    return rules


def _read_parts(tag: str, cursor: Cursor) -> Json:
    """Return what follows the tag as an object: each key of the line, such as `rank`, with its
    numbers by seat or its other value."""
    parts: dict[str, Json] = {}
    while key := cursor.take(KEY):
        name = key[0].lower()
        if name in parts:
            cursor.at = key.start()
            raise cursor.fault(say("rank and points each once"))
        cursor.mark(join(tag, name))
        if tag == OUTCOME and name in OUTCOME_READERS:
            parts[name] = OUTCOME_READERS[name](cursor)
        else:
            parts[name] = list(_read_numbers(cursor))
    return parts


def _read_leavers(cursor: Cursor) -> Json:
    names: list[Json] = []
    while True:
        cursor.mark(f"{OUTCOME}.forfeit[{len(names)}]")
        if KEY_AFTER_LEAVERS.match(cursor.text, cursor.at):
            return names
        match = cursor.take(NAME)
        if match is None:
            return names
        names.append(name_of(match))


def _read_ended(cursor: Cursor) -> Json:
    cursor.skip()
    return cursor.need(KEY, ENDED)[0].lower()


def _read_numbers(cursor: Cursor) -> Iterator[Json]:
    cursor.skip()
    while NUMBER.match(cursor.text, cursor.at):
        yield int(cursor.need(WHOLE, say("a number"))[0].translate(DASHES))
        cursor.need(END, say("a number of at most 16 digits"))
        cursor.skip()


OUTCOME_READERS: Final[dict[str, Callable[[Cursor], Json]]] = {
    "forfeit": _read_leavers,
    "ended": _read_ended,
}
"""The readers of an outcome's parts that aren't a number for each seat, by key."""
TAG_READERS: Final[dict[str, Callable[[Cursor], Json]]] = {
    "game": _read_game,
    "id": _read_text,
    "rules": _read_rules,
    "seats": _read_seats,
    "opener": _read_text,
    "season": _read_text,
    "event": _read_text,
    "table": _read_text,
    "played": _read_text,
    "result": partial(_read_parts, "result"),
    OUTCOME: partial(_read_parts, OUTCOME),
}
"""The readers of the tags, by name in lower case."""


def write_header(record: Record) -> list[str]:
    """Return the tags of a record, one a line, without its result and its outcome."""
    rules = asdict(record.rules).items()
    lines = [
        f"Game: {record.game}",
        f"Id: {write_text(record.record_id)}",
        f"Rules: {', '.join([f'{key} {_write_setting(value)}' for key, value in rules])}",
        f"Seats: {', '.join(map(write_text, record.seats))}",
        f"Opener: {write_text(record.seats[record.opener])}",
    ]
    optional = {
        "Season": record.season,
        "Event": record.event,
        "Table": record.table,
        "Played": record.played_at,
    }
    for tag, text in optional.items():
        if text is not None:
            lines.append(f"{tag}: {write_text(text)}")
    return lines


def _write_setting(value: Json) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def write_end(record: Record) -> list[str]:
    """Return a line with the outcome of a record, or its result; none if it claims neither."""
    if record.outcome is not None:
        return [_write_outcome(record.outcome, record.seats)]
    if record.result is not None:
        return [_write_rank_and_points("Result", record.result.rank, record.result.points)]
    return []


def _write_outcome(outcome: KnownEnd, handles: Sequence[str]) -> str:
    parts = [_write_rank_and_points("Outcome", outcome.rank, outcome.points)]
    if outcome.dice is not None:
        parts.append(f"dice {' '.join(map(str, outcome.dice))}")
    if outcome.forfeit:
        names = [_write_leaver(handles[seat]) for seat in outcome.forfeit]
        parts.append(f"forfeit {' '.join(names)}")
    if outcome.ended is not None:
        parts.append(f"ended {outcome.ended}")
    return ", ".join(parts)


def _write_leaver(handle: str) -> str:
    # A player called `rank`, without quotation marks, would be read as the next key of the outcome.
    return f'"{handle}"' if KEY_AFTER_LEAVERS.fullmatch(handle) else write_name(handle)


def _write_rank_and_points(
    tag: str, rank: Sequence[int] | None, points: Sequence[int] | None
) -> str:
    parts = []
    for key, numbers in (("rank", rank), ("points", points)):
        if numbers is not None:
            parts.append(f"{key} {' '.join(map(str, numbers))}")
    return f"{tag}: {', '.join(parts)}".rstrip(SPACE)
