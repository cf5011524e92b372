"""A file of games in either form, records as JSON Lines or the text notation: the first line says
which."""

from collections.abc import Iterator
from itertools import chain

from engine.illegal import Illegal
from engine.messages import say
from engine.notation.game import START
from engine.notation.text import NotatedGame, notated_games
from engine.record.lines import LIMITS, FileLine, Limits, Source, read_lines
from engine.record.write import write


def record_lines(stream: Source, limits: Limits = LIMITS) -> Iterator[FileLine]:
    """The games of a file, each as a line that should hold its record; numbers are lines of the
    file, from 1.

    A file that breaks one of the `limits` ends with a `file_too_large` at that line.

    A game in the notation that can't be read is an Illegal at the line of its error:
    `bad_notation`, or what the record refuses in it."""
    lines = read_lines(stream, limits)
    first = next(lines, None)
    if first is None:
        return
    lines = chain([first], lines)
    if isinstance(first.content, bytes) and first.content.lstrip().lower().startswith(
        START.encode()
    ):
        yield from map(_line, notated_games(lines))
    else:
        yield from lines


def _line(game: NotatedGame) -> FileLine:
    if game.error is not None:
        return FileLine(
            game.error.line,
            Illegal(
                game.error.code,
                say(
                    "{error}; expected {expected}",
                    error=game.error.sentence,
                    expected=game.error.expected,
                ),
            ),
        )
    assert game.record is not None
    return FileLine(game.place("game").line, write(game.record).encode())
