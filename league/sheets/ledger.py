"""All that the log tells of the devices that write for tables, and of what came too late to stand on a sheet."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import Final

from django.db.models import Q

from games.models import SheetBranch
from league.log.ledger import Ledger, LedgerEntry, Noun, plain, stored
from league.sheets.actions import DeviceAction, SheetAction
from league.sheets.models import SheetSubmission, TableDevice

BRANCH_COLUMNS: Final = ("open_game", "after", "entries", "by", "made_at")


def _made(ledger: Ledger, entry: LedgerEntry) -> None:
    made_at = plain(entry.at)
    ledger.rows("device")[entry.subject] = {"table": entry.payload["table"], "made_at": made_at, "revoked_at": None}


def _revoked(ledger: Ledger, entry: LedgerEntry) -> None:
    ledger.rows("device").setdefault(entry.subject, {})["revoked_at"] = plain(entry.at)


def _branches(club_id: int) -> Iterator[tuple[str, tuple[object, ...]]]:
    of_club = Q(sheet__open_game__table_open_game__table__stage_round__stage__event__club=club_id)
    for row in SheetBranch.objects.filter(of_club).select_related("sheet__open_game", "account", "device"):
        by = {"account": row.account.public_id} if row.account else {"device": row.device and row.device.public_id}
        digest = sha256(row.entries.encode()).hexdigest()
        yield row.public_id, (row.sheet.open_game.public_id, row.after, digest, by, plain(row.made_at))


def _kept(ledger: Ledger, entry: LedgerEntry) -> None:
    ledger.rows("branch")[entry.subject] = {**entry.payload, "made_at": plain(entry.at)}


def _submissions(club_id: int) -> Iterator[tuple[str, tuple[object, ...]]]:
    rows = SheetSubmission.objects.filter(table_open_game__table__stage_round__stage__event__club=club_id)
    columns = ("table_open_game__open_game__public_id", "length", "link", "made_at")
    for public_id, length, link, made_at in rows.values_list(*columns):
        yield public_id, (length, bytes(link).hex(), plain(made_at))


def _submitted(ledger: Ledger, entry: LedgerEntry) -> None:
    head = {column: entry.payload[column] for column in ("length", "link")}
    ledger.rows("submission")[entry.subject] = {**head, "made_at": plain(entry.at)}


NOUNS: Final = (
    Noun("submission", ("length", "link", "made_at"), _submissions, {SheetAction.SUBMITTED: _submitted}),
    Noun("branch", BRANCH_COLUMNS, _branches, {SheetAction.BRANCH_KEPT: _kept}),
    Noun(
        "device",
        ("table", "made_at", "revoked_at"),
        stored(
            TableDevice.objects,
            "table__stage_round__stage__event__club",
            ("table__public_id", "device__made_at", "device__revoked_at"),
            named=("device__public_id",),
        ),
        {DeviceAction.MADE: _made, DeviceAction.REVOKED: _revoked},
    ),
)
