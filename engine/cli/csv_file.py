"""Read CSV files as the service writes them, and as spreadsheets save them."""

import csv
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Final, NamedTuple, TextIO, TypeVar

from engine.illegal import Illegal, Refused
from engine.messages import Message, say

T = TypeVar("T")

ENCODING = "utf-8-sig"
"""UTF-8 with or without a byte order mark."""
MOST_DIGITS: Final = 3
"""The most digits of a number in a file."""


class Row(NamedTuple):
    """The cells of a row, and the number of the line on which it ends, from 1."""

    line: int
    cells: Sequence[str]


def read_csv(file: str, read: Callable[[Iterator[Row]], T | Illegal]) -> T | Illegal:
    """Return what `read` makes of the rows of a file, or the fault of a line that can't be read.

    Raise OSError if the file can't be read.
    """
    try:
        with open(file, encoding=ENCODING, errors="replace", newline="") as stream:
            return read(_rows(stream))
    except Refused as refused:
        return refused.illegal


def _rows(stream: TextIO) -> Iterator[Row]:
    head = stream.readline()
    rows = csv.reader(chain([head], stream), delimiter=max(",;\t", key=head.count))
    try:
        for cells in rows:
            yield Row(rows.line_num, cells)
    except csv.Error:
        message = say(
            "line {line} can't be read: a quotation mark may be missing", line=rows.line_num
        )
        raise Refused(bad_record(message)) from None


def bad_record(message: Message, path: str | None = None) -> Illegal:
    """Return the fault of a file, or of a game that doesn't fit it."""
    return Illegal("bad_record", message, path=path)


def is_positive(text: str) -> bool:
    """Return True if a text is a whole number from 1 with at most `MOST_DIGITS` digits."""
    return text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS and int(text) > 0
