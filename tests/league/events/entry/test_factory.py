"""The factory of entries writes what the service does, which it spares all others the time to
call."""

from __future__ import annotations

from typing import Any

import pytest

from league.core.log.models import LogEntry
from league.events.entry.services.entry import entries_check_in, entry_add
from league.models import Entry, Event, Player, Season
from tests.factories import events
from tests.factories.events import ACTOR
from tests.factories.logged import without_rows

pytestmark = pytest.mark.django_db


def enter_by_service(event: Event, players: list[Player]) -> None:
    """Enter each player by a call of its own."""
    entries = [
        entry_add(event=event, player=player, actor=ACTOR, by_organiser=True) for player in players
    ]
    entries_check_in(event=event, entries=entries, actor=ACTOR)


def rows(event: Event) -> list[dict[str, Any]]:
    """All that is stored of the entries of an event, but their ids and times."""
    entries = Entry.objects.filter(event=event).order_by("number").values()
    return [
        {
            name: value
            for name, value in entry.items()
            if name not in ("id", "public_id", "event_id", "created_at")
        }
        | {"checked_in_at": entry["checked_in_at"] is not None}
        for entry in entries
    ]


def log(event: Event) -> list[tuple[object, ...]]:
    """What the log says of the entries of an event: their numbers in place of ids, and neither
    times nor salts."""
    numbers = dict(Entry.objects.filter(event=event).values_list("public_id", "number"))
    lines: list[tuple[object, ...]] = []
    for line in LogEntry.objects.filter(subject__in=numbers).order_by("position"):
        payload = without_rows(line.payload)
        assert payload.pop("event") == event.public_id
        unsalted = {
            key: value for key, value in payload.items() if key not in ("at", *(line.names or {}))
        }
        names = {key: word for key, (_salt, word) in (line.names or {}).items() if "/" not in key}
        lines.append(
            (line.action, numbers[line.subject], line.actor_id, names, payload.keys(), unsalted)
        )
    return lines


@pytest.mark.parametrize("status", [Event.Status.OPEN, Event.Status.RUNNING])
def test_who_is_entered_at_once_is_entered_as_one_by_one(season: Season, status: str) -> None:
    players = events.players(season.club, 3)
    first, second = (events.event(season, slug, status=status) for slug in ("first", "second"))
    enter_by_service(first, players)
    events.enter(second, players)
    assert len(rows(first)) == 3
    assert rows(first) == rows(second)
    assert len(log(first)) == 6
    assert log(first) == log(second)


def test_who_finds_no_place_waits_also_by_the_factory(season: Season) -> None:
    night = events.event(season, capacity=2)
    entries = events.enter(night, events.players(season.club, 3), check_in=False)
    assert [entry.status for entry in entries] == ["entered", "entered", "waiting"]
