"""Lists of entries as CSV, as spreadsheets write it, or as typed names. Uses no database."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, NamedTuple

from django.utils.translation import gettext

from engine.cells import text_of
from league.core.frame.name_key import folded

BOM: Final = "\ufeff"
MOST_BYTES: Final = 2 * 1024 * 1024
MOST_LINES: Final = 10_000
NAME: Final = (
    "name",
    "player",
    "spieler",
    "spielerin",
    "naam",
    "speler",
    "teilnehmer",
    "deelnemer",
    "participant",
)
FIRST_NAME: Final = ("first name", "firstname", "given name", "forename", "vorname", "voornaam")
LAST_NAME: Final = (
    "last name",
    "lastname",
    "surname",
    "family name",
    "nachname",
    "familienname",
    "zuname",
    "achternaam",
)
LABEL: Final = (
    "label",
    "club",
    "team",
    "town",
    "club or town",
    "verein",
    "ort",
    "stadt",
    "verein oder ort",
    "vereniging",
    "plaats",
    "club of plaats",
)
WHOLE_NAME: Final = (
    "full name",
    "display name",
    "vorname nachname",
    "voornaam achternaam",
    "first name last name",
)
COLUMNS: Final = {
    **dict.fromkeys(("handle", "kurzel", "spelersnaam"), "handle"),
    **dict.fromkeys((*NAME, *WHOLE_NAME), "name"),
    **dict.fromkeys(FIRST_NAME, "first"),
    **dict.fromkeys(LAST_NAME, "last"),
    **dict.fromkeys(("guest", "gast"), "guest"),
    **dict.fromkeys(LABEL, "label"),
}
"""The columns that are read, by the folded words of the heading. All others are ignored."""
NAME_COLUMNS: Final = frozenset({"handle", "name", "first", "last"})
"""A heading has at least one of these columns."""
BEFORE_HEADING: Final = 10
"""In how many lines the heading is looked for; a title may come before it."""
SEPARATOR: Final = re.compile(r'"?sep=(.)"?[;,\t]*', re.IGNORECASE)
"""The line that tells Excel which character separates the columns."""
NAME_SEPARATORS: Final = re.compile(r"[\r\n,;\t]+")
"""Separators between typed names."""
BULLET: Final = re.compile(r"^\s*[-–•*·](?=\s)\s*")
"""A dash or a dot before a name in a list."""
NUMBERING: Final = re.compile(
    r"^\s*(?:[(#]?(\d{1,3})\s*[.):](?!\d)|#?(\d{1,3})\s+[-–](?=\s)|#(\d{1,3})(?=\s)"
    r"|((?:\d\ufe0f?\u20e3){1,3})|(\d{1,3})\s*[\t,;])\s*"
)
"""A number before a name in a list, possibly in a column of its own."""
QUOTED: Final = re.compile(r"""["“”„‟«»]([^"“”„‟«»]+)["“”„‟«»]""")
YES: Final = frozenset({"1", "x", "y", "yes", "true", "j", "ja"})
NO: Final = frozenset({"", "0", "-", "n", "no", "false", "nein", "nee"})


class FileRefused(Exception):
    """The whole file can't be read. The message gives the reason and a remedy."""


class ListRow(NamedTuple):
    """A person to enter: the number of the line, the handle, the display name, whether as a guest,
    and the club or town.
    """

    line: int
    handle: str
    name: str
    guest: bool
    label: str = ""


class BadRow(NamedTuple):
    """A line that can't be read, and the reason."""

    line: int
    why: str


@dataclass(frozen=True, slots=True)
class EntryFile:
    """The content of a file: the readable rows, and the lines that can't be read."""

    rows: tuple[ListRow, ...]
    bad: tuple[BadRow, ...]


def decoded(content: bytes) -> str:
    """Return the text of an uploaded file in UTF-8, or in UTF-16 with a byte order mark. Raise
    `FileRefused` if the file is too large or isn't text."""
    if len(content) > MOST_BYTES:
        raise FileRefused(gettext("The file is larger than 2 MB. Upload a smaller one."))
    encoding = "utf-16" if content.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError:
        raise FileRefused(
            gettext("The file isn’t text in UTF-8. Save it as “CSV UTF-8”.")
        ) from None
    if "\0" in text:
        raise FileRefused(gettext("This isn’t a text file. Save the list as CSV."))
    return text


def read_entries(text: str) -> EntryFile:
    """Return the rows of a list with a heading, separated by comma, semicolon or tab.

    `sep=;`, blank lines and a title may come before the heading. Raise `FileRefused` if there is no
    heading, nothing below it, or more than 10,000 lines.
    """
    lines = text.replace(BOM, "").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if len(lines) > MOST_LINES + 2:
        raise FileRefused(gettext("The list has more than 10,000 lines. Split it up."))
    heading = _heading(lines, _declared_separator(lines))
    if heading is None:
        raise FileRefused(gettext("The first line has to name the columns: handle, name, guest."))

    body = io.StringIO("\n".join(lines[heading.line :]), newline="")
    reader = csv.reader(body, delimiter=heading.delimiter)
    try:
        rows = [(reader.line_num, cells) for cells in reader if any(cell.strip() for cell in cells)]
    except csv.Error:
        raise _unreadable_line(heading.line + reader.line_num) from None
    if not rows:
        raise FileRefused(gettext("There are no names below the first line."))

    parsed = [_row(heading.line + line, heading.columns, cells) for line, cells in rows]
    return EntryFile(
        rows=tuple(row for row in parsed if isinstance(row, ListRow)),
        bad=tuple(row for row in parsed if isinstance(row, BadRow)),
    )


def _declared_separator(lines: Sequence[str]) -> str | None:
    """Return the separator that the first written line declares for Excel (`sep=;`)."""
    written = (line for line in lines if line.strip())
    match = SEPARATOR.fullmatch(next(written, "").strip(" "))
    return match[1] if match else None


def _unreadable_line(line: int) -> FileRefused:
    words = gettext("Line %(line)d can’t be read: a quotation mark may be missing.")
    return FileRefused(words % {"line": line})


class ListHeading(NamedTuple):
    """The line that names the columns: its number from 1, the separator, and the columns, empty for
    unknown ones.
    """

    line: int
    delimiter: str
    columns: tuple[str, ...]


def _heading(lines: list[str], separator: str | None) -> ListHeading | None:
    """Return the heading among the first written lines: the one with the most known columns, at
    least one of them a name."""
    headings = []
    written = [(number, line) for number, line in enumerate(lines, start=1) if line.strip()]
    for number, line in written[:BEFORE_HEADING]:
        delimiter = separator or max(",;\t", key=line.count)
        try:
            cells = next(csv.reader([line], delimiter=delimiter), [])
        except csv.Error:
            raise _unreadable_line(number) from None
        columns = tuple([COLUMNS.get(folded(cell), "") for cell in cells])
        if NAME_COLUMNS & set(columns):
            headings.append(ListHeading(number, delimiter, columns))
    return max(headings, key=lambda heading: len(set(heading.columns) - {""}), default=None)


def read_names(text: str) -> EntryFile:
    """Return the rows of typed or pasted names, one a line or separated by commas or semicolons.

    Ignore dashes before names, and numbers if the whole list is numbered. Raise `FileRefused` for
    more than 10,000 names.
    """
    lines = _unnumbered([line for line in text.splitlines() if line.strip()])
    names: list[str] = []
    for line in lines:
        names += [name for name in NAME_SEPARATORS.split(line) if name.strip()]
    names = [_unquoted(BULLET.sub("", name).strip()) for name in _unnumbered(names)]
    names = [name for name in names if name]
    if len(names) > MOST_LINES:
        raise FileRefused(gettext("The list has more than 10,000 lines. Split it up."))
    rows = [
        ListRow(line, handle=name, name=name, guest=False)
        for line, name in enumerate(names, start=1)
    ]
    return EntryFile(tuple(rows), bad=())


def _unnumbered(names: list[str]) -> list[str]:
    """Return the names without their numbers if each has one and the numbers rise, or else
    unchanged."""
    numbers: list[int] = []
    names_only: list[str] = []
    for name in names:
        match = NUMBERING.match(name)
        if match is None:
            return names
        digits = re.findall(r"\d", match[0])
        numbers.append(int("".join(digits)))
        names_only.append(name[match.end() :])
    is_rising = all(number < next_number for number, next_number in pairwise(numbers))
    if len(names) < 2 or not is_rising:
        return names
    return names_only


def _unquoted(name: str) -> str:
    quoted = QUOTED.fullmatch(name)
    return quoted[1].strip() if quoted else name


def _row(line: int, columns: Sequence[str], texts: Sequence[str]) -> ListRow | BadRow:
    if any(text.strip() for text in texts[len(columns) :]):
        counts = {"cells": len(texts), "columns": len(columns)}
        words = gettext(
            "it has %(cells)d cells, but the first line names %(columns)d columns. Put names that "
            "contain a comma or semicolon in quotation marks"
        )
        return BadRow(line, words % counts)

    cells = {}
    for column, text in zip(columns, texts, strict=False):
        if column:
            cells[column] = text_of(text.strip())
    handle = cells.get("handle", "")
    name = _name(cells)
    guest = cells.get("guest", "").casefold()
    if not handle and not name:
        return BadRow(line, gettext("there is no name"))
    if guest not in YES | NO:
        return BadRow(line, gettext("“guest” must be yes or no"))
    return ListRow(line, handle or name, name or handle, guest in YES, cells.get("label", ""))


def _name(cells: Mapping[str, str]) -> str:
    """Join first and last name if they have a column each. Next to a column of first names, `name`
    is the last name."""
    name = cells.get("name", "")
    first = cells.get("first", "")
    last = cells.get("last", "")
    if "first" not in cells and "last" not in cells:
        return name
    if "last" not in cells:
        return f"{first} {name}".strip()
    return name or f"{first} {last}".strip()
