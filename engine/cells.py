"""Cells of CSV files that people open in spreadsheets: none is taken for a formula, and each can be
read back.

A spreadsheet reads a cell that begins with one of SIGNS as a formula, in their full-width forms,
too, which some turn into the narrow ones; an apostrophe before it says that it is a text (OWASP,
CSV Injection)."""

import re
from typing import Final

SIGNS: Final = "=+-@＝＋－＠"
FORMULA: Final = re.compile(rf"'*(?:\s*[{re.escape(SIGNS)}]|[\t\r\n])")
"""The beginning of a cell that gets an apostrophe, those included that look as if they had got it
already."""


def cell_of(text: str) -> str:
    """The text as a cell, with an apostrophe before what a spreadsheet would take for a formula."""
    return f"'{text}" if FORMULA.match(text) else text


def text_of(cell: str) -> str:
    """The text that a cell stands for: without the apostrophe that `cell_of` put before it."""
    return cell[1:] if cell.startswith("'") and FORMULA.match(cell) else cell
