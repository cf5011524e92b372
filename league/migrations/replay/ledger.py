"""All that a club's log from before 0047 says its rows hold: replayed from the entries, and compared with what is stored.

Each file beside this one says of its nouns which columns the log tells, how they are read from the database, and what
an entry does to them. A log that began before entries told all that has one `club.stated` with `rows`: what stood then.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from operator import attrgetter
from typing import Any, Final, NamedTuple, TypeAlias

from django.db.migrations.state import StateApps
from django.db.models import Q

FORGOTTEN: Final = re.compile(r"[0-9a-f]{64}")
"""A commitment, where the word beside the entry is forgotten."""
STATED: Final = 200
"""LoggedRows that one entry states."""

LoggedRows: TypeAlias = dict[str, dict[str, Any]]
"""The columns of rows, by public id, or by what else names the row."""


class Difference(NamedTuple):
    """A cell, or a whole row, that isn't what the log says."""

    noun: str
    row: str
    column: str
    stored: object
    logged: object


class LedgerEntry(NamedTuple):
    """An entry of the log; `payload` has the words that stand beside it in their places."""

    action: str
    subject: str
    payload: dict[str, Any]
    at: datetime


@dataclass(slots=True)
class Ledger:
    """The rows of each noun, as the log has them so far; `whole`: those that it doesn't tell aren't there."""

    nouns: dict[str, LoggedRows] = field(default_factory=dict)
    whole: bool = False

    def rows(self, noun: str) -> LoggedRows:
        """The rows of a noun."""
        return self.nouns.setdefault(noun, {})


Replay: TypeAlias = Callable[[Ledger, LedgerEntry], None]
ReadRows: TypeAlias = Callable[[StateApps, int], Iterable[tuple[str, Sequence[object]]]]
"""Gives the rows of a club, by its row id, each with its name and its values."""


@dataclass(frozen=True, slots=True)
class Noun:
    """A kind of row that the log tells. `read` gives the rows of a club, by its row id, each with its name and the
    values of `columns`; `replay` says what actions do to the ledger. Of the `texts` the log can forget each.
    `defaults`: what columns hold of which older entries say nothing."""

    name: str
    columns: tuple[str, ...]
    read: ReadRows
    replay: Mapping[str, Replay]
    texts: tuple[str, ...] = ()
    defaults: Mapping[str, object] = field(default_factory=dict)

    def rows(self, apps: StateApps, club_id: int) -> LoggedRows:
        """The rows of a club as they are stored, as JSON has them."""
        return {
            name: {column: plain(value) for column, value in zip(self.columns, values, strict=True)}
            for name, values in self.read(apps, club_id)
        }


def rows_of(
    model: str,
    club: str,
    columns: Sequence[str],
    named: Sequence[str] = ("public_id",),
    *,
    where: Q | None = None,
) -> ReadRows:
    """Read the rows of a model, by its label, whose `club` is a club's, each named by what stands in the columns of
    `named`; those alone that meet `where`."""

    def read(apps: StateApps, club_id: int) -> Iterator[tuple[str, Sequence[object]]]:
        rows = apps.get_model(model)._base_manager.filter(where or Q(), **{club: club_id})
        for values in rows.values_list(*named, *columns).iterator(2000):
            yield " ".join(map(str, values[: len(named)])), values[len(named) :]

    return read


def created(noun: str, columns: Iterable[str], **settled: object) -> Replay:
    """An entry that makes its subject: the payload has its columns, but for those that are settled."""
    names = tuple(columns)

    def replay(ledger: Ledger, entry: LedgerEntry) -> None:
        ledger.rows(noun)[entry.subject] = {**{name: entry.payload.get(name) for name in names}, **settled}

    return replay


def changed(noun: str, **settled: object) -> Replay:
    """An entry that changes its subject, if that is of the noun: to what `after` says, and to what is settled."""

    def replay(ledger: Ledger, entry: LedgerEntry) -> None:
        if (row := ledger.rows(noun).get(entry.subject)) is not None:
            after = entry.payload.get("after")
            row.update({**(after if isinstance(after, dict) else {}), **settled})

    return replay


def put(
    noun: str,
    row: Callable[[LedgerEntry], dict[str, Any]],
    name: Callable[[LedgerEntry], str] = attrgetter("subject"),
) -> Replay:
    """An entry that makes a row, or puts another one in its place: what `row` reads from it, under its `name`."""

    def replay(ledger: Ledger, entry: LedgerEntry) -> None:
        ledger.rows(noun)[name(entry)] = row(entry)

    return replay


def note(
    noun: str,
    name: Callable[[LedgerEntry], str] = attrgetter("subject"),
    **columns: Callable[[LedgerEntry], object],
) -> Replay:
    """An entry that says columns of a row: what each of these functions reads from it."""

    def replay(ledger: Ledger, entry: LedgerEntry) -> None:
        row = ledger.rows(noun).setdefault(name(entry), {})
        row |= {column: read(entry) for column, read in columns.items()}

    return replay


def plain(value: object) -> Any:
    """A value as JSON has it; times in UTC."""
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    if value is None or isinstance(value, str | int | float | bool | dict):
        return value
    return [plain(item) for item in value] if isinstance(value, Iterable) else str(value)


def ledger_of(apps: StateApps, club_id: int, nouns: Sequence[Noun]) -> Ledger:
    """All that the log of a club says of these nouns. Entries that tell nothing of them, as those of games, aren't
    read."""
    ledger = Ledger()
    telling = Q(action__in={action for noun in nouns for action in noun.replay}) | Q(payload__contains='"rows"')
    rows = apps.get_model("league", "LogEntry")._base_manager.filter(telling, club=club_id).order_by("position")
    for action, subject, payload, names, at in rows.values_list(
        "action", "subject", "payload", "names", "at"
    ).iterator(2000):
        entry = LedgerEntry(action, subject, texts_back(json.loads(payload), names), at)
        if "rows" in entry.payload:
            _restate(ledger, entry.payload)
        for noun in nouns:
            if replay := noun.replay.get(action):
                replay(ledger, entry)
    return ledger


def ledger_differences(apps: StateApps, club_id: int, nouns: Sequence[Noun]) -> Iterator[Difference]:
    """Every cell of these nouns that isn't what the log says."""
    ledger = ledger_of(apps, club_id, nouns)
    for noun in nouns:
        stored, logged = noun.rows(apps, club_id), ledger.rows(noun.name)
        for name in sorted(stored.keys() | logged.keys()):
            if name not in stored or (name not in logged and ledger.whole):
                yield Difference(noun.name, name, "row", name in stored, name in logged)
                continue
            yield from _cells(noun, name, stored[name], logged.get(name, {}), whole=ledger.whole)


def statements(
    apps: StateApps, club_id: int, nouns: Sequence[Noun]
) -> Iterator[tuple[dict[str, Any], dict[str, str]]]:
    """What stands in a club: the payloads of the entries that state it, each with the words beside it."""
    first = True
    for noun in nouns:
        rows = list(noun.rows(apps, club_id).items())
        for start in range(0, len(rows), STATED):
            part = rows[start : start + STATED]
            words = {
                f"{noun.name}/{name}/{column}": str(row[column])
                for name, row in part
                for column in noun.texts
                if row[column]
            }
            cells = {
                name: {key: row[key] for key in row if f"{noun.name}/{name}/{key}" not in words} for name, row in part
            }
            yield {"rows": {noun.name: cells}, "first": first}, words
            first = False


def texts_back(payload: Mapping[str, Any], names: Mapping[str, Any] | None) -> dict[str, Any]:
    """A payload with the words that stand beside it, in their places; forgotten ones stay what the payload has:
    commitments."""
    whole = {key: dict(value) if isinstance(value, Mapping) else value for key, value in payload.items()}
    for place, (_, word) in (names or {}).items():
        name, _, outer = place.rpartition("_")
        if name and isinstance(whole.get(outer), dict):
            whole.pop(place, None)
            whole[outer][name] = word
        else:
            whole[place] = word
    return whole


def _restate(ledger: Ledger, payload: Mapping[str, Any]) -> None:
    """Let a statement take the place of all before it."""
    ledger.whole = True
    if payload["first"]:
        ledger.nouns.clear()
    for noun, rows in payload["rows"].items():
        ledger.rows(noun).update({name: dict(row) for name, row in rows.items()})
    for place, word in payload.items():
        if place.count("/") == 2:
            noun, name, column = place.split("/")
            ledger.rows(noun)[name][column] = word


def _cells(
    noun: Noun, name: str, stored: dict[str, Any], logged: dict[str, Any], *, whole: bool
) -> Iterator[Difference]:
    for column in noun.columns:
        if column in noun.defaults and logged.get(column) is None and (logged or whole):
            logged = {**logged, column: noun.defaults[column]}
        if column not in logged:
            if whole:
                yield Difference(noun.name, name, column, stored[column], "what the log says, which is nothing")
            continue
        value = logged[column]
        if column in noun.texts and isinstance(value, str) and FORGOTTEN.fullmatch(value):
            continue
        if stored[column] != _moment(value):
            yield Difference(noun.name, name, column, stored[column], value)


def _moment(value: Any) -> Any:
    """A time in UTC, as `plain` writes it; any other value as it is."""
    if isinstance(value, str) and len(value) >= len("2026-01-01T00:00:00") and value[10:11] == "T":
        try:
            moment = datetime.fromisoformat(value)
        except ValueError:
            return value
        return plain(moment) if moment.tzinfo else value
    return value
