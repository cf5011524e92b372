"""Open games as they are stored."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import datetime
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Exists, OuterRef, Subquery

from engine.record.header import read_header
from engine.record.record import Record
from engine.sheet import sheet as engine_sheet
from engine.sheet.entry import ASIDES, stored_entry
from engine.sheet.versions import WRITTEN, AnySheet, fold, rounds_of
from games.domain.branch import branch_entries, moment_text
from games.domain.game import seat_name
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
"""The handles of those who sit at an open game, in seat order, to be read along with rows that name
one."""


class WrittenSheet(NamedTuple):
    """A sheet folded from all its entries: its row, the header as it was frozen, and what the
    engine makes of both."""

    row: OpenSheet
    header: Record
    sheet: AnySheet


class HeldSheet(NamedTuple):
    """A sheet that is held to be written on: its row, the header of its game, whether it is sealed,
    whether it is of a game that isn't played again after all, and the number of the entry that has
    the writer's key already, if there is one."""

    row: OpenSheet
    record: Record
    sealed: bool
    taken_back: bool
    earlier_number: int | None


def sheet_hold(open_game: str, key: UUID) -> HeldSheet:
    """The sheet of an open game, held until the transaction ends. Raises `OpenSheet.DoesNotExist`.

    What others committed while this one waited is read once the row is held, not with it.
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
    """The sheet of an open game, folded from all its entries, with the names as they are sealed;
    with `hold` nobody adds to it until the transaction ends. Raises `OpenSheet.DoesNotExist`."""
    sheets = OpenSheet.objects.select_related("open_game")
    if hold:
        sheets = sheets.select_for_update(of=("self",), no_key=True)
    row = sheets.get(open_game__public_id=open_game)
    seats = list(
        OpenSeat.objects.filter(open_game=row.open_game)
        .order_by("number")
        .values_list("handle", "seal")
    )
    record = read_header(row.open_game.header, [handle for handle, _ in seats])
    record = replace(record, names=tuple(seat_name(bytes(seal)) for _, seal in seats))
    entries = SheetEntry.objects.filter(sheet=row).order_by("number").values_list("act", "value")
    return WrittenSheet(
        row, record, fold(row.version, record, (stored_entry(a, json.loads(v)) for a, v in entries))
    )


def is_written_since(sheet: OpenSheet, length: int) -> bool:
    """True if somebody wrote on a sheet since it had so many entries, or if it never had as many.

    Calls for the arbiter and rulings don't count: they change nothing of the game. At most one
    query."""
    if length >= sheet.length:
        return length > sheet.length
    since = SheetEntry.objects.filter(sheet=sheet, number__gte=length)
    return since.exclude(act__in=ASIDES).exists()


def sheet_header(open_game: OpenGame) -> Record:
    """The header of an open game, with the handles as they are now. One query."""
    seats = OpenSeat.objects.filter(open_game=open_game).order_by("number")
    return read_header(open_game.header, list(seats.values_list("handle", flat=True)))


def sheet_folded(
    sheet: OpenSheet | int, record: Record, before: int | None = None, version: int = WRITTEN
) -> engine_sheet.OpenSheet:
    """Return the rounds and notes of a sheet (its row or its key) after its entries, or after those
    before a number.

    `record`: the header of its game. One query.
    """
    rows = SheetEntry.objects.filter(
        sheet=sheet, **({} if before is None else {"number__lt": before})
    )
    entries = rows.order_by("number").values_list("act", "value")
    stored = (stored_entry(act, json.loads(value)) for act, value in entries)
    return rounds_of(fold(version, record, stored))


def branch_waiting(game: Game, public_id: str, at: datetime) -> SheetBranch | None:
    """Return a branch of the sheet that became this game, or a revision of it, while it waits to be
    let in."""
    branches = SheetBranch.objects.select_related("sheet__open_game").filter(
        public_id=public_id,
        waits_until__gt=at,
        sheet__open_game__source=game.source,
        sheet__open_game__external_id=game.external_id,
    )
    return branches.first()


def branch_record(branch: SheetBranch) -> Record:
    """Return the game as it would be by a branch: the entries of the sheet before it, and its own.
    Two queries."""
    folded = sheet_folded(branch.sheet, sheet_header(branch.sheet.open_game), before=branch.after)
    for written in branch_entries(branch):
        folded.apply(written.entry)
    return folded.whole()


def is_let_in(branch: SheetBranch) -> bool:
    """True if all that a branch holds stands on its sheet. One query."""
    keys = {entry.key for entry in branch_entries(branch)}
    return SheetEntry.objects.filter(sheet=branch.sheet_id, key__in=keys).count() == len(keys)


def sheet_entries(row: OpenSheet, after: int = 0) -> list[dict[str, Any]]:
    """The entries of a sheet from number `after` on, as they are sealed and told. One query."""
    entries = SheetEntry.objects.filter(sheet=row, number__gte=after).select_related(
        "account", "device"
    )
    return [entry_json(entry, _writer_json(entry)) for entry in entries.order_by("number")]


def _writer_json(entry: SheetEntry) -> dict[str, Any]:
    if entry.account is not None:
        return {"account": entry.account.public_id}
    if entry.seat is not None:
        return {"seat": entry.seat}
    return (
        {"device": entry.device.public_id}
        if entry.device is not None
        else {"automatic": entry.automatic}
    )


def entry_json(entry: SheetEntry, by: dict[str, Any]) -> dict[str, Any]:
    """An entry as the chain seals it; `by` names the writer."""
    return {
        "number": entry.number,
        "act": entry.act,
        "value": json.loads(entry.value),
        "by": by,
        "key": str(entry.key),
        "device_at": moment_text(entry.device_at) if entry.device_at else None,
        "at": moment_text(entry.made_at),
    }
