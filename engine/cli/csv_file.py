"""Read CSV files as the service writes them, and as spreadsheets save them."""

import csv
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Final, NamedTuple, TextIO

from engine.illegal import Illegal, Refused
from engine.messages import say

ENCODING = "utf-8-sig"
"""UTF-8 with or without a byte order mark."""
FIGURES: Final = 3
"""The most figures of a number in a file."""


class Row(NamedTuple):
    """The cells of a row, and the number of the line on which it ends, from 1."""

    line: int
    cells: Sequence[str]


def csv_rows(stream: TextIO) -> Iterator[Row]:
    """Yield the rows of a file, separated by comma, semicolon or tab like its first line.

    Raises `Refused` (`bad_record`) for a line that can't be read.
    """
    head = stream.readline()
    rows = csv.reader(chain([head], stream), delimiter=max(",;\t", key=head.count))
    try:
        for cells in rows:
            yield Row(rows.line_num, cells)
    except csv.Error:
        message = say(
            "line {line} can't be read: a quotation mark may be missing", line=rows.line_num
        )
        raise Refused(Illegal("bad_record", message)) from None


def is_positive(text: str) -> bool:
    """Return True for a whole number from 1, with at most `FIGURES` figures."""
    return text.isascii() and text.isdigit() and len(text) <= FIGURES and int(text) > 0
