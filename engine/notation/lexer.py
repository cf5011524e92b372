"""The letters of the text notation: lines, comments, texts, players, and the place where each of
them stands."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeVar

from engine.illegal import Illegal, character_name, quote
from engine.messages import Message, say
from engine.record.lines import IN_UTF_16, FileLine, no_utf8
from engine.record.shape import Json, Object

SPACE: Final = " \t\xa0\u202f"
"""A no-break space, also a narrow one, is what a web page or a phone makes of a blank."""
BLANK: Final = f"[{SPACE}]"
STOP: Final = r'\s",;{}|=/!?<>():'
"""None of these is in a player's name that stands without quotation marks in a round."""
MINUS: Final = "-−–"
"""A phone turns a hyphen into a dash."""

BLANKS: Final = re.compile(f"[{SPACE},]*")
END: Final = re.compile(rf"(?=[{SPACE},!|=?():]|\Z)")
MARKS: Final = "“”„‟«»"
SINGLE_MARKS: Final = "‘’‚‹›"
"""A phone turns the quotation mark into one of these; a single one is an apostrophe inside a name,
too."""
_BY_PHONE: Final = rf"""[{MARKS}]([^"{MARKS}]*)[{MARKS}]|[‘‚‹›]([^"{MARKS}]*?)[’‘›‹](?=[{SPACE},;:|=!?(){{}}]|\Z)"""
TEXT: Final = re.compile(rf'"([^"]*(?:""[^"]*)*)"|{_BY_PHONE}')
VOID: Final = re.compile(rf"void(?![^{STOP}])", re.IGNORECASE)
FORFEIT: Final = re.compile(rf"forfeit(?![^{STOP}])", re.IGNORECASE)
ENDED: Final = re.compile(rf"ended{BLANK}+clock[{SPACE},]*\Z", re.IGNORECASE)
"""The line that time was up. A round has more than two names, so players of these names are
none."""
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
    """A place in a text: its line and its character in that line, both from 1."""

    line: int
    column: int


KEPT: Final = frozenset(
    ["bad_handle", "time_out_of_range", "too_many_rounds", "too_many_moves", "file_too_large"]
)
"""Codes of the record that a fault keeps in a text; every other one is `bad_notation` there."""


@dataclass(frozen=True, slots=True)
class NotationError:
    """All that can't be read: `line` and `column` of the first such character, from 1, and what
    could stand there."""

    line: int
    column: int
    expected: Message
    message: Message
    code: str = "bad_notation"

    @property
    def sentence(self) -> Message:
        """The place and what is wrong there."""
        return say(
            "line {line}, column {column}: {message}",
            line=self.line,
            column=self.column,
            message=self.message,
        )

    def __str__(self) -> str:
        return self.sentence


class NotationFault(Exception):
    """Carries a NotationError out of the reading of one game; it never leaves this package."""

    def __init__(
        self, place: TextPlace, expected: Message, message: Message, code: str = ""
    ) -> None:
        """`code`: that of the record, where it is the record that refuses this."""
        super().__init__(message)
        self.error = NotationError(
            *place, expected, message, code if code in KEPT else "bad_notation"
        )


class TextLine(NamedTuple):
    """One line of a text: its number from 1, all that is written there, and the same with comments
    blank."""

    number: int
    written: str
    text: str


def read_row(line: FileLine) -> TextLine:
    """The line as text, comments blank; raises `NotationFault` for what is no text, or an open
    quotation or brace."""
    number, content = line
    if isinstance(content, Illegal):
        no_text = content.message == IN_UTF_16
        expected = say("text in UTF-8") if no_text else say("a whole line that isn't too long")
        raise NotationFault(TextPlace(number, 1), expected, content.message, content.code)
    try:
        row = content.decode()
    except UnicodeDecodeError as error:
        column = len(content[: error.start].decode()) + 1
        raise NotationFault(
            TextPlace(number, column), say("text in UTF-8"), no_utf8(error)
        ) from None
    control = _CONTROL.search(row)
    if control is not None:
        raise NotationFault(
            TextPlace(number, control.start() + 1),
            say("a character that can be seen"),
            say(
                "{character} doesn't belong in a text; take it out",
                character=character_name(control[0]),
            ),
        )

    def blank(match: re.Match[str]) -> str:
        part = match[0]
        if part[0] == "{" and part[-1] != "}":
            raise NotationFault(
                TextPlace(number, match.end() + 1),
                say("}} after a comment"),
                say("the comment has no end"),
            )
        if part[0] == '"' and TEXT.fullmatch(part) is None:
            raise NotationFault(
                TextPlace(number, match.end() + 1),
                say('" after a text'),
                say("the quotation has no end"),
            )
        return " " * len(part) if part[0] in ";{" else part

    return TextLine(number, row, _QUOTED_OR_COMMENT.sub(blank, row))


class Cursor:
    """Reads one line from left to right. `columns` tells where the keys of the record that it holds
    stand."""

    __slots__ = ("at", "columns", "line", "text")

    def __init__(self, row: TextLine, at: int = 0) -> None:
        self.line, self.text, self.at = row.number, row.text, at
        self.columns: dict[str, int] = {}

    def mark(self, key: str) -> None:
        """Remember that `key` of the record starts at the next token."""
        self.skip()
        self.columns[key] = self.at + 1

    def skip(self) -> None:
        """Step over blanks and commas."""
        blanks = BLANKS.match(self.text, self.at)
        assert blanks is not None
        self.at = blanks.end()

    def then(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Return what `pattern` matches right here, stepped over; None where it doesn't."""
        match = pattern.match(self.text, self.at)
        if match is not None:
            self.at = match.end()
        return match

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Return what `pattern` matches after blanks and commas, stepped over; None where it
        doesn't."""
        self.skip()
        return self.then(pattern)

    def need(self, pattern: re.Pattern[str], expected: Message) -> re.Match[str]:
        """Return what `pattern` matches right here, stepped over; raises `NotationFault` where it
        doesn't."""
        match = self.then(pattern)
        if match is None:
            raise self.fault(expected)
        return match

    def end(self, expected: Message) -> None:
        """The line ends here, or raises `NotationFault`."""
        self.skip()
        if self.at < len(self.text):
            raise self.fault(expected)

    def seat(self, handles: Sequence[str]) -> int | None:
        """The seat whose player is named next, None where no name stands; raises
        `NotationFault`."""
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
        """The seats of the players who are named next, at least one; raises `NotationFault`."""
        seats: list[Json] = []
        while (seat := self.seat(handles)) is not None:
            seats.append(seat)
        if not seats:
            raise self.fault(players(handles))
        return seats

    def fault(self, expected: Message) -> NotationFault:
        """Return what is here isn't what was expected."""
        word = _WORD.match(self.text, self.at)
        rest = say("a blank") if self.at < len(self.text) else say("the end of the line")
        word_found = say("“{word}”", word=quote(word[0])) if word else rest
        return NotationFault(
            TextPlace(self.line, self.at + 1),
            expected,
            say("expected {expected}, found {found}", expected=expected, found=word_found),
        )

    def refuse(self, illegal: Illegal, expected: Message) -> NotationFault:
        """Return what the record refuses in this line, at its place there."""
        column = nearest(self.columns, illegal.path or "", len(self.text) + 1)
        return NotationFault(
            TextPlace(self.line, column), expected, with_path(illegal), illegal.code
        )


def nearest(spots: Mapping[str, SpotT], path: str, otherwise: SpotT) -> SpotT:
    """Tell where `path` of a record stands, or the key that it is a part of."""
    for key in (path, path.split("[")[0], path.split(".")[0]):
        if key in spots:
            return spots[key]
    return otherwise


def name_of(match: re.Match[str]) -> str:
    """The text of a match of NAME or TEXT without its quotation marks, and the blanks that French
    sets inside them."""
    if match[1] is not None:
        return match[1].replace('""', '"')
    by_phone = match[2] or match[3]
    return match[0] if by_phone is None else by_phone.strip(SPACE)


def find_seat(name: str, handles: Sequence[str]) -> int | None:
    """The seat of a player named by handle, or by the start of it, large or small and with either
    apostrophe, if only one starts so."""
    if name in handles:
        return handles.index(name)
    folded = _typed(name)
    alike = [seat for seat, handle in enumerate(handles) if _typed(handle) == folded]
    starting = [seat for seat, handle in enumerate(handles) if _typed(handle).startswith(folded)]
    candidates = alike or starting
    return candidates[0] if len(candidates) == 1 else None


def _typed(name: str) -> str:
    """A name as a keyboard types it, in small letters."""
    return name.translate(APOSTROPHES).casefold()


def with_path(illegal: Illegal) -> Message:
    """Return what is wrong, after the key of the record that is at fault."""
    return (
        Message.of("{path} {message}", {"path": illegal.path, "message": illegal.message})
        if illegal.path
        else illegal.message
    )


def players(handles: Sequence[str]) -> Message:
    """Return what is expected where a player must be named."""
    return say("one of the players {players}", players=", ".join(handles))


def write_name(handle: str) -> str:
    """A handle as a round names it: in quotation marks where it isn't a plain word."""
    plain = re.fullmatch(BARE, handle, re.IGNORECASE) and not set(handle) & set(MARKS)
    return handle if plain else _in_marks(handle)


def write_text(text: str) -> str:
    """A text as a tag tells it: in quotation marks where it holds signs or has blanks at its
    ends."""
    plain = (
        text
        and text == text.strip()
        and not set(text) & set('",;{}' + MARKS)
        and text[0] not in SINGLE_MARKS
    )
    return text if plain else _in_marks(text)


def _in_marks(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def read_leavers(cursor: Cursor, handles: Sequence[str], keys: Object) -> None:
    """Read whether a round or a turn is void, and who leaves. Rulings B17, B18, K15, K17."""
    cursor.mark("void")
    if cursor.take(VOID):
        keys["void"] = True
    cursor.mark("forfeit")
    if cursor.take(FORFEIT):
        cursor.mark("forfeit")
        keys["forfeit"] = cursor.seats(handles)
