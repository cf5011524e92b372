"""A file of games, as JSON Lines or in the text notation: its first line decides."""

from collections.abc import Iterator
from itertools import chain

from engine.illegal import Illegal
from engine.messages import say
from engine.notation.game import START
from engine.notation.text import NotatedGame, notated_games
from engine.record.lines import LIMITS, FileLine, Limits, Source, read_lines
from engine.record.write import write


def record_lines(stream: Source, limits: Limits = LIMITS) -> Iterator[FileLine]:
    """Yield the games of a file, each as a line that should hold its record, numbered from 1.

    If the file exceeds one of the `limits`, the last line yielded is the fault `file_too_large`,
    and the rest isn't read. A game in the notation that can't be read is yielded as a fault at the
    line of its error, with the code `bad_notation` or a code of the record.
    """
    lines = read_lines(stream, limits)
    first = next(lines, None)
    if first is None:
        return
    lines = chain([first], lines)
    content = first.content
    is_notation = isinstance(content, bytes) and content.lstrip().lower().startswith(START.encode())
    if is_notation:
        yield from map(_line, notated_games(lines))
    else:
        yield from lines


def _line(game: NotatedGame) -> FileLine:
    error = game.error
    if error is not None:
        message = say("{error}; expected {expected}", error=error.sentence, expected=error.expected)
        return FileLine(error.line, Illegal(error.code, message))
    assert game.record is not None
    return FileLine(game.place("game").line, write(game.record).encode())
