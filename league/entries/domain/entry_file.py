"""A list of entries as CSV: reading whatever a spreadsheet writes, line by line. No database."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass
from typing import Final, NamedTuple

from django.utils.translation import gettext

from engine.cells import text_of

MOST_BYTES: Final = 2 * 1024 * 1024
MOST_LINES: Final = 10_000
COLUMNS: Final = {
    "handle": "handle",
    "name": "name",
    **dict.fromkeys(("guest", "gast"), "guest"),
    **dict.fromkeys(("label", "club", "team", "town", "verein", "ort", "vereniging", "plaats"), "label"),
}
"""The columns that are read, by the word in the first line; all others are passed over."""
SIGN: Final = re.compile(r"[\r\n,;\t]+")
"""All that stands between two names that were typed."""
BULLET: Final = re.compile(
    r"^\s*(?:[(#]?\d{1,3}\s*[.):](?!\d)|#?\d{1,3}\s+[-–](?=\s)|#\d{1,3}(?=\s)"
    r"|(?:\d\ufe0f?\u20e3)+|[-–•*·](?=\s)|\d{1,3}$)\s*"
)
"""What lists have before a name: a number, also as a column of its own, or a dash."""
YES: Final = frozenset({"1", "x", "y", "yes", "true", "j", "ja"})
NO: Final = frozenset({"", "0", "-", "n", "no", "false", "nein", "nee"})


class FileRefused(Exception):
    """The file as a whole can't be read; the words say why, and what to do."""


class ListRow(NamedTuple):
    """Somebody to enter: the number of the line, the handle, the display name, whether as a guest, the club or town."""

    line: int
    handle: str
    name: str
    guest: bool
    label: str = ""


class BadRow(NamedTuple):
    """A line that can't be read, and why."""

    line: int
    why: str


@dataclass(frozen=True, slots=True)
class EntryFile:
    """All that a file tells: the rows that can be read, and the lines that can't."""

    rows: tuple[ListRow, ...]
    bad: tuple[BadRow, ...]


def decoded(content: bytes) -> str:
    """The text of an uploaded file: UTF-8, or UTF-16 that says so. Raises `FileRefused`."""
    if len(content) > MOST_BYTES:
        raise FileRefused(gettext("The file is larger than 2 MB. A list of names is smaller: cut it."))
    encoding = "utf-16" if content.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError:
        raise FileRefused(gettext("The file isn’t text in UTF-8. Save it as “CSV UTF-8”.")) from None
    if "\0" in text:
        raise FileRefused(gettext("This isn’t a file of text. Save the list as CSV."))
    return text


def read_entries(text: str) -> EntryFile:
    """The rows of a list, whose first line names the columns, parted by comma, semicolon or tab.

    Raises `FileRefused`: no such first line, nothing below it, more than 10,000 lines.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if text.count("\n") > MOST_LINES + 1:
        raise FileRefused(gettext("The list has more than 10,000 lines. Cut it."))
    delimiter = max(",;\t", key=text.partition("\n")[0].count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        columns = [COLUMNS.get(cell.strip().casefold(), "") for cell in next(reader, [])]
        if not {"handle", "name"} & set(columns):
            raise FileRefused(gettext("The first line has to name the columns: handle, name, guest."))
        lines = [(reader.line_num, cells) for cells in reader if any(cell.strip() for cell in cells)]
    except csv.Error:
        words = gettext("Line %(line)d can’t be read: a quotation mark may be missing.")
        raise FileRefused(words % {"line": reader.line_num}) from None
    if not lines:
        raise FileRefused(gettext("Below the first line there is nobody."))
    read = [_row(line, dict(zip(columns, cells, strict=False))) for line, cells in lines]
    return EntryFile(
        rows=tuple(row for row in read if isinstance(row, ListRow)),
        bad=tuple(row for row in read if isinstance(row, BadRow)),
    )


def read_names(text: str) -> EntryFile:
    """The rows of names as people write or paste them: one a line, or several with commas or semicolons between them;
    numbers and dashes before a name are passed over. No more than a file has; raises `FileRefused`."""
    names = [BULLET.sub("", name).strip() for name in SIGN.split(text)]
    names = [name for name in names if name]
    if len(names) > MOST_LINES:
        raise FileRefused(gettext("The list has more than 10,000 lines. Cut it."))
    return EntryFile(tuple(ListRow(line, name, name, False) for line, name in enumerate(names, start=1)), ())


def _row(line: int, cells: dict[str, str]) -> ListRow | BadRow:
    handle, name = text_of(cells.get("handle", "").strip()), text_of(cells.get("name", "").strip())
    guest = cells.get("guest", "").strip().casefold()
    if not (handle or name):
        return BadRow(line, gettext("there is no name"))
    if guest not in YES | NO:
        return BadRow(line, gettext("“guest” is neither yes nor no"))
    return ListRow(line, handle or name, name or handle, guest in YES, text_of(cells.get("label", "").strip()))
