"""Whatever a service changes of an event's hall, timetables and clocks, the club's log tells."""

import pytest

from league.core.log.ledger import ledger_differences
from league.models import Event, LogEntry, Season
from tests.factories import events, halls
from tests.league.floor.timetable.logged import LOGGED

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("name", LOGGED)
def test_what_a_service_changes_stands_in_the_log(season: Season, name: str) -> None:
    night = events.event(season, status=Event.Status.RUNNING)
    events.enter(night, events.players(season.club, 4))
    events.drawn(events.stage(night))
    halls.hall(night)
    before = LogEntry.objects.filter(club=season.club).count()
    change, actions = LOGGED[name]
    change(night)
    new = LogEntry.objects.filter(club=season.club).order_by("position")[before:]
    assert [entry.action for entry in new] == actions
    assert list(ledger_differences(season.club.pk)) == [], "the log tells all that rows hold"
