"""The text notation, version 1: games as a player reads them aloud and a scorer types them.

A game starts with the line `cups-up notation 1`. Its tags follow, one a line, then a line for each
round (turn), then its result; or, if only its end is known, its outcome alone. Reading checks only
the form; `parse_and_check` also checks the rules, and gives the place of a fault.
"""

import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from engine.messages import say
from engine.notation.game import (
    LINES,
    START,
    VERSION,
    Correction,
    NotatedGame,
    Reading,
    starts_game,
)
from engine.notation.header import write_end, write_header
from engine.notation.lexer import NotationError, NotationFault, TextLine, read_row
from engine.record.check import check
from engine.record.lines import FileLine, Source, read_lines
from engine.record.record import Record
from engine.record.verdict import Verdict

__all__ = [
    "EXTENSION",
    "MEDIA_TYPE",
    "Checked",
    "Correction",
    "NotatedGame",
    "NotationError",
    "Parsed",
    "check_game",
    "notated_games",
    "parse",
    "parse_and_check",
    "read_games",
    "render",
]

EXTENSION: Final = ".cups"
MEDIA_TYPE: Final = "text/vnd.cups-up"


@dataclass(frozen=True, slots=True)
class Parsed:
    """The games of a text in order, with and without errors."""

    games: tuple[NotatedGame, ...]

    @property
    def records(self) -> tuple[Record, ...]:
        """Return the records of all games; with an error, up to that error."""
        return tuple(game.record for game in self.games if game.record is not None)

    @property
    def errors(self) -> tuple[NotationError, ...]:
        """Return the error of each game that has one."""
        return tuple(game.error for game in self.games if game.error is not None)


class Checked(NamedTuple):
    """A game, the verdict on its readable part, and its first error.

    The error is one of form or of rules, with its place.
    """

    game: NotatedGame
    verdict: Verdict | None
    error: NotationError | None


def render(record: Record, correction: Correction | None = None) -> str:
    """Return the game in the normal form of the notation, each line with its end.

    Raise ValueError if a round (turn) can't be read, or names a seat that isn't at the table.
    """
    lines = [f"{START} {VERSION}", *write_header(record)]
    if correction is not None:
        lines += correction.lines()
    lines.append("")
    for number, unit in enumerate(record.sound_rounds(), 1):
        text = LINES[record.kind].write(unit, record.seats)
        lines.append(f"{number}. {text}".rstrip(" "))
    lines += write_end(record)
    return "\n".join(lines) + "\n"


def parse(text: str | bytes) -> Parsed:
    """Return all games of a text, in linear time; never raise an exception."""
    return Parsed(tuple(read_games(_stream(text))))


def parse_and_check(text: str | bytes) -> Iterator[Checked]:
    """Yield all games of a text, each with the checker's verdict and its first error."""
    return map(check_game, read_games(_stream(text)))


def _stream(text: str | bytes) -> io.BytesIO:
    if isinstance(text, bytes):
        return io.BytesIO(text)
    # Lone surrogates, which UTF-8 lacks, pass here and become an error of their line.
    return io.BytesIO(text.encode("utf-8", "surrogatepass"))


def read_games(stream: Source) -> Iterator[NotatedGame]:
    """Yield the games of a file, plain or gzip, one in memory at a time.

    After a game with an error, the next one is read.
    """
    return notated_games(read_lines(stream))


def notated_games(lines: Iterable[FileLine]) -> Iterator[NotatedGame]:
    """Yield the games in the lines of a file."""
    game: Reading | None = None
    for line in lines:
        row = _row(line)
        if game is not None and starts_game(row):
            yield game.notated()
            game = None
        if game is None:
            if isinstance(row, TextLine) and not row.text.strip():
                continue
            game = Reading()
        game.feed(row)
    if game is not None:
        yield game.notated()


def _row(line: FileLine) -> TextLine | NotationError:
    try:
        return read_row(line)
    except NotationFault as fault:
        return fault.error


def check_game(game: NotatedGame) -> Checked:
    """Return the verdict on the readable part of a game, and its first error in reading order."""
    if game.record is None:
        return Checked(game, None, game.error)
    verdict = check(game.record)
    if verdict.error is None:
        return Checked(game, verdict, game.error)
    line, column = game.place(verdict.error.path or "")
    error = NotationError(line, column, say("what the rules allow"), verdict.error.message)
    return Checked(game, verdict, error)
