"""Read one game in the text notation line by line: first line, tags, rounds, result."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from engine.messages import Message, say
from engine.notation import bluff, kniffel
from engine.notation.header import TAG, Header
from engine.notation.lexer import (
    BLANK,
    SPACE,
    TEXT,
    Cursor,
    NotationError,
    NotationFault,
    TextLine,
    TextPlace,
    name_of,
    nearest,
    write_text,
)
from engine.record.bluff.kind import BLUFF
from engine.record.kind import AnyKind
from engine.record.kniffel.kind import KNIFFEL
from engine.record.length import too_many_moves, too_many_rounds
from engine.record.lines import LIMIT
from engine.record.outcome import KEY as OUTCOME
from engine.record.record import Record

START: Final = "cups-up notation"
VERSION: Final = "1"
ENDS: Final = ("result", OUTCOME)
"""The tags that end a game; an outcome can't follow rounds."""

_START: Final = re.compile(rf"{BLANK}*cups-up{BLANK}+notation(?![^{SPACE}])", re.IGNORECASE)
_VERSION: Final = re.compile(rf"{VERSION}(?![^{SPACE}])")
_NUMBER: Final = re.compile(rf"{BLANK}*([0-9]{{1,7}})\.")
_CORRECTION: Final = re.compile(
    rf"{BLANK}*;{BLANK}*(Replaces|Reason){BLANK}*:{BLANK}*(.*)", re.IGNORECASE
)
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]+")
_PATH: Final = re.compile(r"(?:rounds|turns)\[([0-9]+)\]\.?(.*)")


class Lines(NamedTuple):
    """The functions that read a line as a round, after its number, and write a round as a line."""

    read: Callable[[Cursor, Sequence[str]], Any]
    write: Callable[[Any, Sequence[str]], str]


LINES: Final[Mapping[AnyKind, Lines]] = {
    BLUFF: Lines(bluff.read, bluff.write),
    KNIFFEL: Lines(kniffel.read, kniffel.write),
}
"""What the notation adds to each kind of game; the record is a lower layer and can't know it."""


class Correction(NamedTuple):
    """The id of the game that a game replaces, and why; empty if not recorded.

    The notation keeps them in comments, `; Replaces: id` and `; Reason: text`, which no digest
    covers.
    """

    replaces: str = ""
    reason: str = ""

    def lines(self) -> list[str]:
        """Return the comments, each in one line even if its text has line breaks."""
        comments = []
        for key, text in (("Replaces", self.replaces), ("Reason", self.reason)):
            if text:
                comments.append(f"; {key}: {write_text(_CONTROL.sub(' ', text))}")
        return comments


@dataclass(frozen=True, slots=True)
class NotatedGame:
    """One game of a text.

    `record` is the game, or if there is an error, the game up to that error, without a result; None
    if the tags can't be read. `rows` are the lines of its rounds. `places` are the places of the
    keys of its header.
    """

    record: Record | None
    error: NotationError | None
    correction: Correction
    rows: tuple[TextLine, ...]
    places: Mapping[str, TextPlace]

    def place(self, path: str) -> TextPlace:
        """Return where the part of the record with this path, such as `rounds[3].moves[2]`, stands
        in the text.

        If that part has no place of its own, return the place of the nearest enclosing part; within
        a round, if there is none, the end of its line."""
        path_in_round = _PATH.match(path)
        if self.record is None or path_in_round is None:
            return nearest(self.places, path, self.places["game"])
        row = self.rows[int(path_in_round[1])]
        # Read the line again: the columns of its parts weren't stored.
        cursor = Cursor(row, row.text.index(".") + 1)
        LINES[self.record.kind].read(cursor, self.record.seats)
        end_of_line = len(row.text) + 1
        return TextPlace(row.number, nearest(cursor.columns, path_in_round[2], end_of_line))


def starts_game(row: TextLine | NotationError) -> bool:
    """Return True if the line is the first of a game, in any version."""
    return isinstance(row, TextLine) and _START.match(row.text) is not None


class Reading:
    """A game while its lines are read. Lines after an error are ignored."""

    def __init__(self) -> None:
        self._header = Header()
        self._record: Record | None = None
        self._error: NotationError | None = None
        self._correction = Correction()
        self._rounds: list[Any] = []
        self._rows: list[TextLine] = []
        self._size = 0
        self._moves = 0
        self._end = TextPlace(0, 1)

    def feed(self, row: TextLine | NotationError) -> None:
        """Read the next line."""
        if self._error is not None:
            return
        if isinstance(row, NotationError):
            self._error = row
            return
        try:
            self._read(row)
        except NotationFault as fault:
            self._error = fault.error

    def notated(self) -> NotatedGame:
        """Return the game after its last line."""
        if self._error is None:
            try:
                self._complete_tags(self._end)
            except NotationFault as fault:
                self._error = fault.error
        record = self._record
        if record is not None:
            result = record.result if self._error is None else None
            record = replace(record, rounds=tuple(self._rounds), result=result)
        return NotatedGame(
            record, self._error, self._correction, tuple(self._rows), self._header.places
        )

    def _read(self, row: TextLine) -> None:
        cursor = Cursor(row)
        is_first = self._size == 0
        self._size += len(row.written) + 1
        self._end = TextPlace(row.number, len(row.text) + 1)
        if self._size > LIMIT:
            raise cursor.fault(say("a game of at most {limit} characters", limit=LIMIT))
        if is_first:
            self._read_first_line(cursor)
        elif row.text.strip(SPACE):
            self._read_tag_or_round(row, cursor)
        else:
            self._read_comment(row)

    def _read_first_line(self, cursor: Cursor) -> None:
        first_line = Message.of("{start} {version}", {"start": START, "version": VERSION})
        cursor.skip()
        cursor.need(_START, first_line)
        cursor.skip()
        cursor.need(_VERSION, say("version {version}", version=VERSION))
        cursor.end(say("the end of the line"))

    def _read_tag_or_round(self, row: TextLine, cursor: Cursor) -> None:
        tag = TAG.match(row.text)
        number = cursor.then(_NUMBER)
        name = "" if tag is None else tag[1].lower()
        over = any(end in self._header.places for end in ENDS)
        if tag is not None and not over and (name == "result" or self._record is None):
            self._header.read(row, tag)
            if name in ENDS:
                self._record = self._header.record(TextPlace(row.number, 1))
        elif number is None or over:
            cursor.at = 0
            cursor.skip()
            raise cursor.fault(say("the end of the game") if over else self._expected_next())
        else:
            self._complete_tags(TextPlace(row.number, 1))
            self._read_round(row, cursor, number)

    def _expected_next(self) -> Message:
        number = len(self._rounds) + 1
        if self._record is None:
            return say("{number}. and a round, or a tag such as Seats:", number=number)
        return say("{number}. and a round, or Result:", number=number)

    def _complete_tags(self, end: TextPlace) -> None:
        if self._record is None:
            self._record = self._header.record(end)

    def _read_round(self, row: TextLine, cursor: Cursor, number: re.Match[str]) -> None:
        assert self._record is not None
        next_number = len(self._rounds) + 1
        if int(number[1]) != next_number:
            cursor.at = number.start(1)
            raise cursor.fault(say("{number}., the number of the next round", number=next_number))
        kind = self._record.kind
        round_or_turn = LINES[kind].read(cursor, self._record.seats)
        self._moves += kind.moves(round_or_turn)
        too_many = too_many_rounds(next_number, "") or too_many_moves(self._moves, "")
        if too_many is not None:
            raise cursor.refuse(too_many, say("the end of the game"))
        self._rounds.append(round_or_turn)
        self._rows.append(row)

    def _read_comment(self, row: TextLine) -> None:
        comment = _CORRECTION.match(row.written)
        if comment is None:
            return
        quoted = TEXT.fullmatch(comment[2].rstrip(SPACE))
        value = comment[2].strip(SPACE) if quoted is None else name_of(quoted)
        if comment[1].lower() == "replaces":
            self._correction = self._correction._replace(replaces=value)
        else:
            self._correction = self._correction._replace(reason=value)
