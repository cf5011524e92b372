"""Open games as they are stored."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Exists, OuterRef, Prefetch, Subquery

from engine.record.header import read_header
from engine.record.names import Name
from engine.record.record import Record
from engine.sheet import sheet as engine_sheet
from engine.sheet.entry import ASIDES, stored_entry
from engine.sheet.versions import WRITTEN, AnySheet, fold, rounds_of
from games.domain.branch import branch_entries, moment_text
from games.models import (
    Game,
    OpenGame,
    OpenSeat,
    OpenSheet,
    PlayAgain,
    SealedSheet,
    SheetBranch,
    SheetEntry,
)
from games.queries.play_again import IS_TAKEN_BACK

HANDLES: Final = ArraySubquery(
    OpenSeat.objects.filter(open_game=OuterRef("open_game")).order_by("number").values("handle")
)
"""The handles of an open game's players, in seat order, to annotate rows that have an
`open_game`."""


class WrittenSheet(NamedTuple):
    """A sheet folded from all its entries: its row, the frozen header, and the engine's sheet."""

    row: OpenSheet
    header: Record
    sheet: AnySheet


class HeldSheet(NamedTuple):
    """A sheet that is locked for writing.

    `record`: the header of its game. `sealed`: whether the sheet is sealed. `taken_back`: whether
    the decision to play its game again was taken back. `earlier_number`: the number of the entry
    that already has the writer's key, if any.
    """

    row: OpenSheet
    record: Record
    sealed: bool
    taken_back: bool
    earlier_number: int | None


def sheet_hold(open_game: str, key: UUID) -> HeldSheet:
    """Lock and return the sheet of an open game until the transaction ends. Two queries.

    The row is read after the lock, so that it includes what others committed while this one waited.
    Raise `OpenSheet.DoesNotExist` if there is none.
    """
    sheets = OpenSheet.objects.select_for_update(of=("self",), no_key=True)
    pk = sheets.values_list("pk", flat=True).get(open_game__public_id=open_game)
    earlier = SheetEntry.objects.filter(sheet=OuterRef("pk"), key=key).values("number")
    row: Any = (
        OpenSheet.objects.select_related("open_game")
        .annotate(
            handles=HANDLES,
            is_sealed=Exists(SealedSheet.objects.filter(sheet=OuterRef("pk"))),
            is_taken_back=Exists(
                PlayAgain.objects.filter(IS_TAKEN_BACK, open_game=OuterRef("open_game"))
            ),
            earlier_number=Subquery(earlier[:1]),
        )
        .get(pk=pk)
    )
    record = read_header(row.open_game.header, row.handles)
    return HeldSheet(row, record, row.is_sealed, row.is_taken_back, row.earlier_number)


def sheet_written(open_game: str, *, hold: bool = False) -> WrittenSheet:
    """Return the sheet of an open game, folded from all its entries, with the names as sealed.

    `hold`: lock it until the transaction ends. Raise `OpenSheet.DoesNotExist` if there is none."""
    sheets = OpenSheet.objects.select_related("open_game")
    if hold:
        sheets = sheets.select_for_update(of=("self",), no_key=True)
    row = sheets.get(open_game__public_id=open_game)
    seats = OpenSeat.objects.filter(open_game=row.open_game).order_by("number")
    entries = SheetEntry.objects.filter(sheet=row).order_by("number")
    return _written(
        row, list(seats.values_list("handle", "seal")), entries.values_list("act", "value")
    )


def sheets_written(open_games: Collection[str]) -> dict[str, WrittenSheet | Exception]:
    """Return the sheets of open games by public id, as `sheet_written` does; for a sheet that can't
    be read, the error. The rows have their entries with them. At most five queries."""
    rows = OpenSheet.objects.filter(open_game__public_id__in=open_games).select_related("open_game")
    entries = SheetEntry.objects.order_by("number").prefetch_related("account", "device")
    rows = rows.prefetch_related(
        Prefetch("open_game__seats", OpenSeat.objects.order_by("number")),
        Prefetch("entries", entries),
    )
    rows_by_id = {row.open_game.public_id: row for row in rows}
    sheets: dict[str, WrittenSheet | Exception] = {}
    for public_id in open_games:
        row = rows_by_id.get(public_id)
        if row is None:
            sheets[public_id] = OpenSheet.DoesNotExist("OpenSheet matching query does not exist.")
            continue
        seats = [(seat.handle, seat.seal) for seat in row.open_game.seats.all()]
        acts = [(entry.act, entry.value) for entry in row.entries.all()]
        try:
            sheets[public_id] = _written(row, seats, acts)
        except (ValueError, KeyError) as error:
            sheets[public_id] = error
    return sheets


def _written(
    row: OpenSheet,
    seats: Sequence[tuple[str, bytes | memoryview]],
    entries: Iterable[tuple[str, str]],
) -> WrittenSheet:
    header = read_header(row.open_game.header, [handle for handle, _ in seats])
    header = replace(header, names=tuple([Name.of(bytes(seal)) for _, seal in seats]))
    stored = (stored_entry(act, json.loads(value)) for act, value in entries)
    return WrittenSheet(row, header, fold(row.version, header, stored))


def has_changed_since(sheet: OpenSheet, length: int) -> bool:
    """Return True if a sheet has changed since it had `length` entries, or if it has fewer.

    Calls for the arbiter and rulings don't count, as they don't change the game. At most one query.
    """
    if length >= sheet.length:
        return length > sheet.length
    since = SheetEntry.objects.filter(sheet=sheet, number__gte=length)
    return since.exclude(act__in=ASIDES).exists()


def sheet_header(open_game: OpenGame) -> Record:
    """Return the header of an open game, with the current handles. One query."""
    seats = OpenSeat.objects.filter(open_game=open_game).order_by("number")
    return read_header(open_game.header, list(seats.values_list("handle", flat=True)))


def sheet_folded(
    sheet: OpenSheet | int, record: Record, before: int | None = None, version: int = WRITTEN
) -> engine_sheet.OpenSheet:
    """Return a sheet, given by its row or its key, folded from its entries. One query.

    `record`: the header of its game. `before`: fold only the entries with a lower number."""
    rows = SheetEntry.objects.filter(sheet=sheet)
    if before is not None:
        rows = rows.filter(number__lt=before)
    entries = rows.order_by("number").values_list("act", "value")
    stored = (stored_entry(act, json.loads(value)) for act, value in entries)
    return rounds_of(fold(version, record, stored))


def waiting_branch(game: Game, public_id: str, at: datetime) -> SheetBranch | None:
    """Return the branch with this public id, if it waits at this time to be accepted; else None.

    A branch holds entries that were written for a sheet but not added to it. It waits to be
    accepted if the key of the writer's device had ended when they arrived. The branch may belong to
    the sheet of any revision of the game: all revisions have the same source and external id.
    """
    branches = SheetBranch.objects.select_related("sheet__open_game").filter(
        public_id=public_id,
        waits_until__gt=at,
        sheet__open_game__source=game.source,
        sheet__open_game__external_id=game.external_id,
    )
    return branches.first()


def branch_record(branch: SheetBranch) -> Record:
    """Return the game as it would be if a branch (`SheetBranch`) replaced what follows it.

    It has the entries of the sheet before the branch, then those of the branch. Two queries."""
    folded = sheet_folded(branch.sheet, sheet_header(branch.sheet.open_game), before=branch.after)
    for written in branch_entries(branch):
        folded.apply(written.entry)
    return folded.whole()


def is_let_in(branch: SheetBranch) -> bool:
    """Return True if a branch was accepted: all of its entries are on its sheet. One query."""
    keys = {entry.key for entry in branch_entries(branch)}
    return SheetEntry.objects.filter(sheet=branch.sheet_id, key__in=keys).count() == len(keys)


def sheet_entries(row: OpenSheet, after: int = 0) -> list[dict[str, Any]]:
    """Return the entries of a sheet from number `after` on, as they are sealed and sent. One
    query."""
    entries = SheetEntry.objects.filter(sheet=row, number__gte=after).select_related(
        "account", "device"
    )
    return [entry_json(entry, _writer_json(entry)) for entry in entries.order_by("number")]


def fetched_entries(row: OpenSheet) -> list[dict[str, Any]]:
    """Return all entries of a sheet that has them with it, as `sheet_entries` does. No query."""
    return [entry_json(entry, _writer_json(entry)) for entry in row.entries.all()]


def _writer_json(entry: SheetEntry) -> dict[str, Any]:
    if entry.account is not None:
        return {"account": entry.account.public_id}
    if entry.seat is not None:
        return {"seat": entry.seat}
    if entry.device is not None:
        return {"device": entry.device.public_id}
    return {"automatic": entry.automatic}


def entry_json(entry: SheetEntry, by: dict[str, Any]) -> dict[str, Any]:
    """Return an entry as the chain seals it; `by` names the writer."""
    return {
        "number": entry.number,
        "act": entry.act,
        "value": json.loads(entry.value),
        "by": by,
        "key": str(entry.key),
        "device_at": moment_text(entry.device_at) if entry.device_at else None,
        "at": moment_text(entry.made_at),
    }
