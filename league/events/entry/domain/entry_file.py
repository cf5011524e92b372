"""A list of entries as CSV: reading whatever a spreadsheet writes, line by line. No database."""

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
    *(
        "last name",
        "lastname",
        "surname",
        "family name",
        "nachname",
        "familienname",
        "zuname",
        "achternaam",
    ),
)
LABEL: Final = (
    *("label", "club", "team", "town", "club or town"),
    *("verein", "ort", "stadt", "verein oder ort", "vereniging", "plaats", "club of plaats"),
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
"""The columns that are read, by the folded words in the heading; all others are passed over."""
NAMING: Final = frozenset({"handle", "name", "first", "last"})
"""Columns of which a heading has at least one."""
BEFORE_HEADING: Final = 10
"""The number of lines in which the heading is looked for; a title may stand above it."""
SEPARATOR: Final = re.compile(r'"?sep=(.)"?[;,\t]*', re.IGNORECASE)
"""The line by which Excel is told what parts the columns."""
SIGN: Final = re.compile(r"[\r\n,;\t]+")
"""All that stands between two names that were typed."""
BULLET: Final = re.compile(r"^\s*[-–•*·](?=\s)\s*")
"""A dash or a dot that lists have before a name."""
NUMBERING: Final = re.compile(
    r"^\s*(?:[(#]?(\d{1,3})\s*[.):](?!\d)|#?(\d{1,3})\s+[-–](?=\s)|#(\d{1,3})(?=\s)"
    r"|((?:\d\ufe0f?\u20e3){1,3})|(\d{1,3})\s*[\t,;])\s*"
)
"""A number that lists have before a name, also as a column of its own."""
QUOTED: Final = re.compile(r"""["“”„‟«»]([^"“”„‟«»]+)["“”„‟«»]""")
YES: Final = frozenset({"1", "x", "y", "yes", "true", "j", "ja"})
NO: Final = frozenset({"", "0", "-", "n", "no", "false", "nein", "nee"})


class FileRefused(Exception):
    """The file as a whole can't be read; the words say why, and what to do."""


class ListRow(NamedTuple):
    """Somebody to enter: the number of the line, the handle, the display name, whether as a guest,
    the club or town."""

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
        raise FileRefused(
            gettext("The file is larger than 2 MB. A list of names is smaller: cut it.")
        )
    encoding = "utf-16" if content.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError:
        raise FileRefused(
            gettext("The file isn’t text in UTF-8. Save it as “CSV UTF-8”.")
        ) from None
    if "\0" in text:
        raise FileRefused(gettext("This isn’t a file of text. Save the list as CSV."))
    return text


def read_entries(text: str) -> EntryFile:
    """The rows of a list whose heading names the columns, parted by comma, semicolon or tab.

    Above the heading may stand `sep=;`, blank lines and a title. Raises `FileRefused`: no heading,
    nothing below it, more than 10,000 lines."""
    lines = text.replace(BOM, "").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if len(lines) > MOST_LINES + 2:
        raise FileRefused(gettext("The list has more than 10,000 lines. Cut it."))
    separator = next((SEPARATOR.fullmatch(line.strip(" ")) for line in lines if line.strip()), None)
    heading = _heading(lines, separator and separator[1])
    if heading is None:
        raise FileRefused(gettext("The first line has to name the columns: handle, name, guest."))
    reader = csv.reader(
        io.StringIO("\n".join(lines[heading.line :]), newline=""), delimiter=heading.delimiter
    )
    try:
        rows = [(reader.line_num, cells) for cells in reader if any(cell.strip() for cell in cells)]
    except csv.Error:
        raise _unreadable(heading.line + reader.line_num) from None
    if not rows:
        raise FileRefused(gettext("Below the first line there is nobody."))
    read = [_row(heading.line + line, heading.columns, cells) for line, cells in rows]
    return EntryFile(
        rows=tuple(row for row in read if isinstance(row, ListRow)),
        bad=tuple(row for row in read if isinstance(row, BadRow)),
    )


def _unreadable(line: int) -> FileRefused:
    words = gettext("Line %(line)d can’t be read: a quotation mark may be missing.")
    return FileRefused(words % {"line": line})


class ListHeading(NamedTuple):
    """The line that names the columns, counted from 1, what parts them, and the columns; empty for
    unknown ones."""

    line: int
    delimiter: str
    columns: tuple[str, ...]


def _heading(lines: list[str], separator: str | None) -> ListHeading | None:
    """The first of those of the `BEFORE_HEADING` first written lines that name the most columns,
    names among them."""
    headings = []
    written = [(number, line) for number, line in enumerate(lines, start=1) if line.strip()]
    for number, line in written[:BEFORE_HEADING]:
        delimiter = separator or max(",;\t", key=line.count)
        try:
            cells = next(csv.reader([line], delimiter=delimiter), [])
        except csv.Error:
            raise _unreadable(number) from None
        columns = tuple([COLUMNS.get(folded(cell), "") for cell in cells])
        if NAMING & set(columns):
            headings.append(ListHeading(number, delimiter, columns))
    return max(headings, key=lambda heading: len(set(heading.columns) - {""}), default=None)


def read_names(text: str) -> EntryFile:
    """The rows of names as people write or paste them: one a line, or several with commas or
    semicolons between them.

    Dashes before a name are passed over, and numbers where the whole list is numbered. No more than
    a file has; raises `FileRefused`."""
    lines = _unnumbered([line for line in text.splitlines() if line.strip()])
    names = _unnumbered([name for line in lines for name in SIGN.split(line) if name.strip()])
    names = [_unquoted(BULLET.sub("", name).strip()) for name in names]
    names = [name for name in names if name]
    if len(names) > MOST_LINES:
        raise FileRefused(gettext("The list has more than 10,000 lines. Cut it."))
    return EntryFile(
        tuple(ListRow(line, name, name, False) for line, name in enumerate(names, start=1)), ()
    )


def _unnumbered(names: list[str]) -> list[str]:
    """The names without the numbers before them, if each has one and they go up; else as they
    are."""
    matches = [NUMBERING.match(name) for name in names]
    numbers = [int("".join(re.findall(r"\d", match[0]))) for match in matches if match]
    rising = all(number < following for number, following in pairwise(numbers))
    if len(numbers) < max(len(names), 2) or not rising:
        return names
    return [name[match.end() :] for name, match in zip(names, matches, strict=True) if match]


def _unquoted(name: str) -> str:
    """A name without the quotation marks around it."""
    quoted = QUOTED.fullmatch(name)
    return quoted[1].strip() if quoted else name


def _row(line: int, columns: Sequence[str], texts: Sequence[str]) -> ListRow | BadRow:
    """What a line says of somebody."""
    if any(text.strip() for text in texts[len(columns) :]):
        counts = {"cells": len(texts), "columns": len(columns)}
        words = gettext(
            "it has %(cells)d cells, and the heading names %(columns)d columns. Write a name with "
            "a comma or a"
            " semicolon in quotation marks"
        )
        return BadRow(line, words % counts)
    cells = {
        column: text_of(text.strip())
        for column, text in zip(columns, texts, strict=False)
        if column
    }
    handle, name = cells.get("handle", ""), _name(cells)
    guest = cells.get("guest", "").casefold()
    if not (handle or name):
        return BadRow(line, gettext("there is no name"))
    if guest not in YES | NO:
        return BadRow(line, gettext("“guest” is neither yes nor no"))
    return ListRow(line, handle or name, name or handle, guest in YES, cells.get("label", ""))


def _name(cells: Mapping[str, str]) -> str:
    """The name in the cells of a line, joined where the first and the last one have a column each.

    Beside a column of first names, `Name` is the last one.
    """
    whole, first, last = (cells.get(column, "") for column in ("name", "first", "last"))
    if "first" not in cells and "last" not in cells:
        return whole
    if "last" not in cells:
        return f"{first} {whole}".strip()
    return whole or f"{first} {last}".strip()
