"""All that the log tells of events and their series."""

from __future__ import annotations

from typing import Final

from league.core.log.ledger import LedgerEntry, Noun, changed, created, plain, put, rows_of
from league.events.event.actions import EventAction
from league.events.event.models import Event
from league.events.event.services import SETTINGS, TEXTS
from league.events.helper.actions import HelperAction
from league.events.helper.models import Helper
from league.events.series.models import Series

COLUMNS: Final = (*SETTINGS, "status", "alone", "season", "series")
EARLIER: Final = {
    "confirmation": Event.Confirmer.ALONE.value,
    "confirmation_minutes": 0,
    "players_enter": True,
    "objection_hours": 0,
}
"""What was so at every event before organisers could say otherwise."""
DATES: Final = ("name", "rule", "starts_at", "without")


def _helper(entry: LedgerEntry) -> str:
    return f"{entry.payload['event']} {entry.subject} {entry.payload['role']}"


NOUNS: Final = (
    Noun(
        "event",
        COLUMNS,
        rows_of(Event.objects, "club", (*SETTINGS, "status", "alone", "season__public_id", "series__public_id")),
        {EventAction.CREATED: created("event", COLUMNS), EventAction.CHANGED: changed("event")},
        texts=TEXTS,
        defaults=EARLIER,
    ),
    Noun(
        "series",
        DATES,
        rows_of(Series.objects, "club", DATES),
        {EventAction.SERIES_CREATED: created("series", DATES), EventAction.CHANGED: changed("series")},
        texts=("name",),
    ),
    Noun(
        "helper",
        ("ended_at",),
        rows_of(Helper.objects, "event__club", ("ended_at",), named=("event__public_id", "user__public_id", "role")),
        {
            HelperAction.ADDED: put("helper", lambda entry: {"ended_at": None}, name=_helper),
            HelperAction.REMOVED: put("helper", lambda entry: {"ended_at": plain(entry.at)}, name=_helper),
        },
    ),
)
