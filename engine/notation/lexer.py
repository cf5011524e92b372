"""The tokens of the text notation: lines, comments, texts and players, with their places."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeVar

from engine.illegal import Illegal, character_name, quote
from engine.messages import Message, say
from engine.record.lines import IN_UTF_16, FileLine, no_utf8
from engine.record.shape import Json, Object

SPACE: Final = " \t\xa0\u202f"
"""Web pages and phones turn blanks into no-break spaces, wide or narrow."""
BLANK: Final = f"[{SPACE}]"
STOP: Final = r'\s",;{}|=/!?<>():'
"""Characters that end a player's name that isn't in quotation marks."""
MINUS: Final = "-−–"
"""A phone turns a hyphen into a dash."""

BLANKS: Final = re.compile(f"[{SPACE},]*")
END: Final = re.compile(rf"(?=[{SPACE},!|=?():]|\Z)")
MARKS: Final = "“”„‟«»"
SINGLE_MARKS: Final = "‘’‚‹›"
"""Phones turn the quotation mark into one of these; a single one can also be an apostrophe."""
_BY_PHONE: Final = rf"""[{MARKS}]([^"{MARKS}]*)[{MARKS}]|[‘‚‹›]([^"{MARKS}]*?)[’‘›‹](?=[{SPACE},;:|=!?(){{}}]|\Z)"""
TEXT: Final = re.compile(rf'"([^"]*(?:""[^"]*)*)"|{_BY_PHONE}')
VOID: Final = re.compile(rf"void(?![^{STOP}])", re.IGNORECASE)
FORFEIT: Final = re.compile(rf"forfeit(?![^{STOP}])", re.IGNORECASE)
ENDED: Final = re.compile(rf"ended{BLANK}+clock[{SPACE},]*\Z", re.IGNORECASE)
"""The line that time was up. A round has more than two names, so it can't be players of these
names.
"""
KEYWORD: Final = rf"(?:void|forfeit)(?![^{STOP}])"
BARE: Final = rf"(?!{KEYWORD})[^\W\d_][^{STOP}]*"
NAME: Final = re.compile(rf"{TEXT.pattern}|({BARE})", re.IGNORECASE)
BAR: Final = re.compile(r"\|")
WHOLE: Final = re.compile(rf"[{MINUS}+]?[0-9]{{1,16}}")
APOSTROPHES: Final = str.maketrans(dict.fromkeys("‘’‚ʼ", "'"))
DASHES: Final = str.maketrans(dict.fromkeys(MINUS[1:], MINUS[0]))

_CONTROL: Final = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f\ufeff]")
_QUOTED_OR_COMMENT: Final = re.compile(
    rf'"[^"]*+(?:""[^"]*+)*+(?:"|\Z)|[{MARKS}][^"{MARKS}]*[{MARKS}]|;.*|\{{[^}}]*+(?:\}}|\Z)'
)
_WORD: Final = re.compile(r"\S{1,40}")

SpotT = TypeVar("SpotT")


class TextPlace(NamedTuple):
    """A place in a text: its line, and its character in that line, both from 1."""

    line: int
    column: int


CODES_KEPT: Final = frozenset(
    ["bad_handle", "time_out_of_range", "too_many_rounds", "too_many_moves", "file_too_large"]
)
"""Codes of the record that stay in a text; all others become `bad_notation`."""


@dataclass(frozen=True, slots=True)
class NotationError:
    """The first thing that can't be read in a game.

    `line` and `column` are the place of its first character, from 1; `expected` says what could be
    there instead.
    """

    line: int
    column: int
    expected: Message
    message: Message
    code: str = "bad_notation"

    @property
    def sentence(self) -> Message:
        """Return the place and the fault in one sentence."""
        return say(
            "line {line}, column {column}: {message}",
            line=self.line,
            column=self.column,
            message=self.message,
        )

    def __str__(self) -> str:
        return self.sentence


class NotationFault(Exception):
    """An exception that ends the reading of one game with a NotationError.

    It never leaves this package.
    """

    def __init__(
        self, place: TextPlace, expected: Message, message: Message, code: str = ""
    ) -> None:
        """Make a fault; `code` is that of the record, if the record refuses the text."""
        super().__init__(message)
        if code not in CODES_KEPT:
            code = "bad_notation"
        self.error = NotationError(place.line, place.column, expected, message, code)


class TextLine(NamedTuple):
    """One line of a text.

    `number` counts from 1; `written` is the full text, and `text` the same with blanks in place of
    comments.
    """

    number: int
    written: str
    text: str


def read_row(line: FileLine) -> TextLine:
    """Return the line as text, with blanks in place of comments.

    Raise `NotationFault` for invalid text, or an open quotation or brace.
    """
    number, content = line
    if isinstance(content, Illegal):
        is_utf_16 = content.message == IN_UTF_16
        expected = say("text in UTF-8") if is_utf_16 else say("a whole line that isn't too long")
        raise NotationFault(TextPlace(number, 1), expected, content.message, content.code)
    try:
        written = content.decode()
    except UnicodeDecodeError as error:
        column = len(content[: error.start].decode()) + 1
        raise NotationFault(
            TextPlace(number, column), say("text in UTF-8"), no_utf8(error)
        ) from None

    control = _CONTROL.search(written)
    if control is not None:
        raise NotationFault(
            TextPlace(number, control.start() + 1),
            say("a visible character"),
            say(
                "{character} doesn't belong in a text; remove it",
                character=character_name(control[0]),
            ),
        )

    def blank_comment(match: re.Match[str]) -> str:
        part = match[0]
        end = TextPlace(number, match.end() + 1)
        if part[0] == "{" and part[-1] != "}":
            raise NotationFault(end, say("}} after a comment"), say("the comment isn't closed"))
        if part[0] == '"' and TEXT.fullmatch(part) is None:
            raise NotationFault(end, say('" after a text'), say("the quotation isn't closed"))
        return " " * len(part) if part[0] in ";{" else part

    return TextLine(number, written, _QUOTED_OR_COMMENT.sub(blank_comment, written))


class Cursor:
    """A place in a line that is read from left to right.

    `columns` are the columns of the record's keys in that line.
    """

    __slots__ = ("at", "columns", "line", "text")

    def __init__(self, row: TextLine, at: int = 0) -> None:
        self.line = row.number
        self.text = row.text
        self.at = at
        self.columns: dict[str, int] = {}

    def mark(self, key: str) -> None:
        """Store the column of the next token as the place of `key`."""
        self.skip()
        self.columns[key] = self.at + 1

    def skip(self) -> None:
        """Move past blanks and commas."""
        blanks = BLANKS.match(self.text, self.at)
        assert blanks is not None
        self.at = blanks.end()

    def then(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Return the match of `pattern` at the cursor, and move past it; None without a match."""
        match = pattern.match(self.text, self.at)
        if match is not None:
            self.at = match.end()
        return match

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Return the match of `pattern` after any blanks and commas, and move past it; None without
        a match."""
        self.skip()
        return self.then(pattern)

    def need(self, pattern: re.Pattern[str], expected: Message) -> re.Match[str]:
        """Return the match of `pattern` at the cursor, and move past it.

        Raise `NotationFault` without a match.
        """
        match = self.then(pattern)
        if match is None:
            raise self.fault(expected)
        return match

    def end(self, expected: Message) -> None:
        """Raise `NotationFault` unless the line ends here."""
        self.skip()
        if self.at < len(self.text):
            raise self.fault(expected)

    def seat(self, handles: Sequence[str]) -> int | None:
        """Return the seat of the player named next; None if no name follows.

        Raise `NotationFault` for an unknown name.
        """
        start = self.at
        match = self.take(NAME)
        if match is None:
            return None
        seat = find_seat(name_of(match), handles)
        if seat is None:
            self.at = start
            self.skip()
            raise self.fault(players(handles))
        return seat

    def seats(self, handles: Sequence[str]) -> list[Json]:
        """Return the seats of the players named next, at least one. Raise `NotationFault`."""
        seats: list[Json] = []
        while (seat := self.seat(handles)) is not None:
            seats.append(seat)
        if not seats:
            raise self.fault(players(handles))
        return seats

    def fault(self, expected: Message) -> NotationFault:
        """Return the fault that something else than `expected` is at the cursor."""
        word = _WORD.match(self.text, self.at)
        if word:
            actual = say("“{word}”", word=quote(word[0]))
        elif self.at < len(self.text):
            actual = say("a space")
        else:
            actual = say("the end of the line")
        return NotationFault(
            TextPlace(self.line, self.at + 1),
            expected,
            say("expected {expected}, found {found}", expected=expected, found=actual),
        )

    def refuse(self, illegal: Illegal, expected: Message) -> NotationFault:
        """Return a fault for an error of the record in this line, at the place of its path."""
        column = nearest(self.columns, illegal.path or "", len(self.text) + 1)
        return NotationFault(
            TextPlace(self.line, column), expected, with_path(illegal), illegal.code
        )


def nearest(spots: Mapping[str, SpotT], path: str, default: SpotT) -> SpotT:
    """Return the place of `path`; if that isn't known, the place of the key that contains it; else
    `default`."""
    for key in (path, path.split("[")[0], path.split(".")[0]):
        if key in spots:
            return spots[key]
    return default


def name_of(match: re.Match[str]) -> str:
    """Return the text of a match of NAME or TEXT without quotation marks and blanks inside them."""
    if match[1] is not None:
        return match[1].replace('""', '"')
    by_phone = match[2] or match[3]
    if by_phone is not None:
        return by_phone.strip(SPACE)
    return match[0]


def find_seat(name: str, handles: Sequence[str]) -> int | None:
    """Return the seat of the player whose handle is `name`, or whose handle alone begins with it.

    Case and the kind of apostrophe don't matter. None if no or several players fit.
    """
    if name in handles:
        return handles.index(name)
    folded = _folded(name)
    folded_handles = [_folded(handle) for handle in handles]
    equal = [seat for seat, handle in enumerate(folded_handles) if handle == folded]
    starting = [seat for seat, handle in enumerate(folded_handles) if handle.startswith(folded)]
    candidates = equal or starting
    return candidates[0] if len(candidates) == 1 else None


def _folded(name: str) -> str:
    return name.translate(APOSTROPHES).casefold()


def with_path(illegal: Illegal) -> Message:
    """Return the message of a fault, after its path if it has one."""
    if not illegal.path:
        return illegal.message
    return Message.of("{path} {message}", {"path": illegal.path, "message": illegal.message})


def players(handles: Sequence[str]) -> Message:
    """Return what is expected where a player should be named: one of these players."""
    return say("one of the players {players}", players=", ".join(handles))


def write_name(handle: str) -> str:
    """Return a handle for a round, in quotation marks if it isn't a plain word."""
    if re.fullmatch(BARE, handle, re.IGNORECASE) and set(MARKS).isdisjoint(handle):
        return handle
    return _in_marks(handle)


def write_text(text: str) -> str:
    """Return a text for a tag, in quotation marks if it has characters with a meaning there, or
    blanks at its ends."""
    has_blanks_at_its_ends = text != text.strip()
    has_signs = not set(text).isdisjoint('",;{}' + MARKS)
    if not text or has_blanks_at_its_ends or has_signs or text[0] in SINGLE_MARKS:
        return _in_marks(text)
    return text


def _in_marks(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def read_leavers(cursor: Cursor, handles: Sequence[str], keys: Object) -> None:
    """Add `void` and the players who forfeit to `keys`, if the line has them."""
    cursor.mark("void")
    if cursor.take(VOID):
        keys["void"] = True
    cursor.mark("forfeit")
    if cursor.take(FORFEIT):
        cursor.mark("forfeit")
        keys["forfeit"] = cursor.seats(handles)
