"""Read the files of all verbs: by name or standard input, records or text, plain or gzip."""

import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import BinaryIO

from engine.illegal import Illegal
from engine.notation.files import record_lines
from engine.record.check import check_line
from engine.record.lines import FileLine
from engine.record.record import Record, read
from engine.record.verdict import Verdict


def add_file(parser: ArgumentParser) -> None:
    """Declare the file that a verb reads."""
    parser.add_argument(
        "file",
        metavar="FILE",
        help=(
            "a file of games, as records (one a line) or in the text notation, plain or gzip; "
            "- is standard input"
        ),
    )


def opened(file: str) -> AbstractContextManager[BinaryIO]:
    """Return a file opened for reading bytes, for a `with`; `-` is standard input.

    Raise OSError if it can't be read.
    """
    if file == "-":
        return nullcontext(sys.stdin.buffer)
    return open(file, "rb")


def games(file: str) -> Iterator[FileLine]:
    """Yield the games of a file, each as a line that should hold its record.

    Raise OSError if the file can't be read.
    """
    with opened(file) as stream:
        yield from record_lines(stream)


def record_of(content: bytes | Illegal) -> Record | Illegal:
    """Return the record in a line of `games`, or its fault. A fault in the rounds is kept in the
    record."""
    if isinstance(content, Illegal):
        return content
    return read(content)


def sound_record_of(content: bytes | Illegal) -> Record | Illegal:
    """Return the record in a line of `games`, or its fault, also one in the rounds."""
    record = record_of(content)
    if isinstance(record, Illegal) or record.fault is None:
        return record
    return record.fault


def verdict_on(content: bytes | Illegal) -> Verdict:
    """Return the checker's verdict on a line of `games`."""
    if isinstance(content, Illegal):
        return Verdict(None, error=content)
    return check_line(content)


def each_game(file: str, answer: Callable[[bytes | Illegal], Illegal | None]) -> int:
    """Call `answer` for every game of a file in order, and return an exit code.

    The code is 0 if there are games and `answer` returns no fault, else 1. The faults are printed
    to standard error with their lines, as is a message for a file without games.
    """
    code = 0
    empty = True
    for number, content in games(file):
        empty = False
        fault = answer(content)
        if fault is not None:
            complain(f"{file}:{number}", fault)
            code = 1
    if empty:
        complain_empty(file)
        code = 1
    return code


def complain_empty(file: str) -> None:
    """Print to standard error that a file holds no game."""
    print(f"{file}: the file is empty, so there is no game in it", file=sys.stderr)


def complain(place: str, fault: Illegal) -> None:
    """Print a fault and its place to standard error."""
    description = " ".join(filter(None, (fault.path, fault.message)))
    print(f"{place}: {fault.code}: {description}", file=sys.stderr)
