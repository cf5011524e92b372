"""The text notation, version 1: games as a player reads them aloud and a scorer types them.

A game starts with the line `cups-up notation 1`; its tags follow, one a line, then one line for
each round (turn), then its result; or, if only its end is known, its outcome alone. Reading judges
the form alone; `parse_and_check` judges by the rules too, and tells the place of what breaks them.
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
    """The games of a text, good or not, in order."""

    games: tuple[NotatedGame, ...]

    @property
    def records(self) -> tuple[Record, ...]:
        """The records, those of the games with an error up to that error."""
        return tuple(game.record for game in self.games if game.record is not None)

    @property
    def errors(self) -> tuple[NotationError, ...]:
        """The error of each game that has one."""
        return tuple(game.error for game in self.games if game.error is not None)


class Checked(NamedTuple):
    """A game, the verdict on what could be read of it, and its first error, of form or by the
    rules, in its place."""

    game: NotatedGame
    verdict: Verdict | None
    error: NotationError | None


def render(record: Record, correction: Correction | None = None) -> str:
    """The game in the normal form of the notation, each line with its end.

    ValueError for a record with a round (turn) that can't be read, or that names a seat which isn't
    at the table."""
    lines_of_units = [
        LINES[record.kind].write(unit, record.seats) for unit in record.sound_rounds()
    ]
    rounds = [f"{i}. {line}".rstrip(" ") for i, line in enumerate(lines_of_units, 1)]
    comments = () if correction is None else correction.lines()
    return "\n".join(
        [
            f"{START} {VERSION}",
            *write_header(record),
            *comments,
            "",
            *rounds,
            *write_end(record),
            "",
        ]
    )


def parse(text: str | bytes) -> Parsed:
    """All games of a text. Never an exception; linear in the length of the text."""
    return Parsed(tuple(read_games(_stream(text))))


def parse_and_check(text: str | bytes) -> Iterator[Checked]:
    """All games of a text, each with the checker's verdict and the place of its first error."""
    return map(check_game, read_games(_stream(text)))


def _stream(text: str | bytes) -> io.BytesIO:
    """Half characters, which UTF-8 hasn't, go on to be an error in their line."""
    return io.BytesIO(text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text)


def read_games(stream: Source) -> Iterator[NotatedGame]:
    """The games of a file, plain or gzip, one in memory at a time; after an error the next game is
    read."""
    return notated_games(read_lines(stream))


def notated_games(lines: Iterable[FileLine]) -> Iterator[NotatedGame]:
    """The games that the lines of a file tell."""
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
    """The verdict on what could be read of a game, and its first error by reading order."""
    if game.record is None:
        return Checked(game, None, game.error)
    verdict = check(game.record)
    if verdict.error is None:
        return Checked(game, verdict, game.error)
    place = game.place(verdict.error.path or "")
    return Checked(
        game, verdict, NotationError(*place, say("what the rules allow"), verdict.error.message)
    )
