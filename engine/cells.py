"""Cells of CSV files that spreadsheets don't read as formulas, and that can be read back.

A spreadsheet reads a cell as a formula if it begins with one of SIGNS, also in full width, which
some turn into the narrow form. An apostrophe in front marks it as text (OWASP, CSV Injection).
"""

import re
from typing import Final

SIGNS: Final = "=+-@＝＋－＠"
FORMULA: Final = re.compile(rf"'*(?:\s*[{re.escape(SIGNS)}]|[\t\r\n])")
"""The beginning of a text that gets an apostrophe; this includes texts that look as if they had
one, so that every text can be read back.
"""


def cell_of(text: str) -> str:
    """Return the text as a cell, after an apostrophe if a spreadsheet would read a formula."""
    if FORMULA.match(text):
        return f"'{text}"
    return text


def text_of(cell: str) -> str:
    """Return the text of a cell, without the apostrophe that `cell_of` added."""
    if cell.startswith("'") and FORMULA.match(cell):
        return cell[1:]
    return cell
