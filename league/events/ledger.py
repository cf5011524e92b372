"""All that the log tells of events and their series."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from league.events.actions import EventAction
from league.events.models import Event, Series
from league.events.services.event import SETTINGS, TEXTS
from league.log.ledger import Noun, changed, created

COLUMNS: Final = (*SETTINGS, "status", "alone", "season", "series")
DATES: Final = ("name", "rule", "starts_at", "without")


def _events(club_id: int) -> Iterator[tuple[str, tuple[object, ...]]]:
    rows = Event.objects.filter(club=club_id)
    columns = (*SETTINGS, "status", "alone", "season__public_id", "series__public_id")
    for public_id, *values in rows.values_list("public_id", *columns):
        yield public_id, tuple(values)


def _series(club_id: int) -> Iterator[tuple[str, tuple[object, ...]]]:
    for public_id, *values in Series.objects.filter(club=club_id).values_list("public_id", *DATES):
        yield public_id, tuple(values)


NOUNS: Final = (
    Noun(
        "event",
        COLUMNS,
        _events,
        {EventAction.CREATED: created("event", COLUMNS), EventAction.CHANGED: changed("event")},
        texts=TEXTS,
    ),
    Noun(
        "series",
        DATES,
        _series,
        {EventAction.SERIES_CREATED: created("series", DATES), EventAction.CHANGED: changed("series")},
        texts=("name",),
    ),
)
