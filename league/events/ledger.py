"""All that the log tells of events and their series."""

from __future__ import annotations

from typing import Final

from league.events.actions import EventAction, HelperAction
from league.events.models import Event, Helper, Series
from league.events.services.event import SETTINGS, TEXTS
from league.log.ledger import Ledger, LedgerEntry, Noun, changed, created, plain, stored

COLUMNS: Final = (*SETTINGS, "status", "alone", "season", "series")
EARLIER: Final = {
    "confirmation": Event.Confirmer.ALONE.value,
    "confirmation_minutes": 0,
    "players_enter": True,
    "objection_hours": 0,
}
"""What was so at every event before organisers could say otherwise."""
DATES: Final = ("name", "rule", "starts_at", "without")


def _helper_since(ledger: Ledger, entry: LedgerEntry, ended_at: object) -> None:
    payload = entry.payload
    ledger.rows("helper")[f"{payload['event']} {entry.subject} {payload['role']}"] = {"ended_at": ended_at}


def _helper_added(ledger: Ledger, entry: LedgerEntry) -> None:
    _helper_since(ledger, entry, None)


def _helper_removed(ledger: Ledger, entry: LedgerEntry) -> None:
    _helper_since(ledger, entry, plain(entry.at))


NOUNS: Final = (
    Noun(
        "event",
        COLUMNS,
        stored(Event.objects, "club", (*SETTINGS, "status", "alone", "season__public_id", "series__public_id")),
        {EventAction.CREATED: created("event", COLUMNS), EventAction.CHANGED: changed("event")},
        texts=TEXTS,
        defaults=EARLIER,
    ),
    Noun(
        "series",
        DATES,
        stored(Series.objects, "club", DATES),
        {EventAction.SERIES_CREATED: created("series", DATES), EventAction.CHANGED: changed("series")},
        texts=("name",),
    ),
    Noun(
        "helper",
        ("ended_at",),
        stored(Helper.objects, "event__club", ("ended_at",), named=("event__public_id", "user__public_id", "role")),
        {HelperAction.ADDED: _helper_added, HelperAction.REMOVED: _helper_removed},
    ),
)
