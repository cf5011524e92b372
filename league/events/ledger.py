"""All that the log tells of events and their series."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from league.events.actions import EventAction, HelperAction
from league.events.models import Event, Helper, Series
from league.events.services.event import SETTINGS, TEXTS
from league.log.ledger import Ledger, LedgerEntry, Noun, changed, created, plain

COLUMNS: Final = (*SETTINGS, "status", "alone", "season", "series")
EARLIER: Final = {
    "confirmation": Event.Confirmer.ALONE.value,
    "confirmation_minutes": 0,
    "players_enter": True,
    "objection_hours": 0,
}
"""What was so at every event before organisers could say otherwise."""
DATES: Final = ("name", "rule", "starts_at", "without")


def _events(club_id: int) -> Iterator[tuple[str, tuple[object, ...]]]:
    rows = Event.objects.filter(club=club_id)
    columns = (*SETTINGS, "status", "alone", "season__public_id", "series__public_id")
    for public_id, *values in rows.values_list("public_id", *columns):
        yield public_id, tuple(values)


def _series(club_id: int) -> Iterator[tuple[str, tuple[object, ...]]]:
    for public_id, *values in Series.objects.filter(club=club_id).values_list("public_id", *DATES):
        yield public_id, tuple(values)


def _helpers(club_id: int) -> Iterator[tuple[str, tuple[object, ...]]]:
    rows = Helper.objects.filter(event__club=club_id)
    for event, user, role, ended_at in rows.values_list("event__public_id", "user__public_id", "role", "ended_at"):
        yield f"{event} {user} {role}", (ended_at,)


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
        _events,
        {EventAction.CREATED: created("event", COLUMNS), EventAction.CHANGED: changed("event")},
        texts=TEXTS,
        defaults=EARLIER,
    ),
    Noun(
        "series",
        DATES,
        _series,
        {EventAction.SERIES_CREATED: created("series", DATES), EventAction.CHANGED: changed("series")},
        texts=("name",),
    ),
    Noun(
        "helper",
        ("ended_at",),
        _helpers,
        {HelperAction.ADDED: _helper_added, HelperAction.REMOVED: _helper_removed},
    ),
)
