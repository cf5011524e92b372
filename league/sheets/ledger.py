"""All that the log tells of the devices that write for tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from league.log.ledger import Ledger, LedgerEntry, Noun, plain
from league.sheets.actions import DeviceAction
from league.sheets.models import TableDevice

COLUMNS: Final = ("table", "made_at", "revoked_at")


def _devices(club_id: int) -> Iterator[tuple[str, tuple[object, ...]]]:
    rows = TableDevice.objects.filter(table__stage_round__stage__event__club=club_id)
    columns = ("table__public_id", "device__made_at", "device__revoked_at")
    for public_id, *values in rows.values_list("device__public_id", *columns):
        yield public_id, tuple(values)


def _made(ledger: Ledger, entry: LedgerEntry) -> None:
    made_at = plain(entry.at)
    ledger.rows("device")[entry.subject] = {"table": entry.payload["table"], "made_at": made_at, "revoked_at": None}


def _revoked(ledger: Ledger, entry: LedgerEntry) -> None:
    ledger.rows("device").setdefault(entry.subject, {})["revoked_at"] = plain(entry.at)


NOUNS: Final = (Noun("device", COLUMNS, _devices, {DeviceAction.MADE: _made, DeviceAction.REVOKED: _revoked}),)
