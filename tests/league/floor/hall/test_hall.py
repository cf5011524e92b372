"""The hall of an event: places and times that can be, and how times are called when the clocks
change."""

from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.core.exceptions import ValidationError
from django.test import Client

from league.core.log.nouns import plain
from league.floor.hall.actions import HallAction
from league.floor.hall.domain.hall import next_slot, slot_names
from league.floor.hall.queries import hall_of
from league.floor.hall.services import (
    away_set,
    place_change,
    place_drop,
    places_add,
    slot_drop,
    slots_add,
)
from league.models import Event, HallPlace, LogEntry, Season, Slot
from league.stages.course.services.event import event_move
from tests.factories import events, halls
from tests.factories.logged import stated

pytestmark = pytest.mark.django_db
BERLIN = ZoneInfo("Europe/Berlin")
EIGHT: dict[str, Any] = {"first": 1, "last": 8, "size": 4, "room": "Cellar"}


@pytest.fixture
def night(season: Season) -> Event:
    return events.event(season)


def names(event: Event) -> list[str]:
    return list(slot_names(hall_of(event).slots, BERLIN).values())


def test_tables_one_to_eight_stand_in_the_cellar(night: Event) -> None:
    places = places_add(event=night, actor=events.ACTOR, **EIGHT)
    assert [str(place) for place in places][::7] == ["1 · Cellar", "8 · Cellar"]
    assert LogEntry.objects.filter(action="places.changed").count() == 1


def test_the_log_states_all_that_goes_with_a_slot(night: Event) -> None:
    (place,) = places_add(event=night, actor=events.ACTOR, first=1, last=1, size=4, room="Cellar")
    first, second = slots_add(
        event=night, starts_at=events.BEGINS, minutes=40, pause=0, count=2, actor=events.ACTOR
    )
    place_change(
        place=place, room="Cellar", size=4, closed=[first.pk, second.pk], actor=events.ACTOR
    )
    anna, ben = events.enter(night, events.players(night.club, 2))
    away_set(entry=anna, away={first.pk: True}, actor=events.ACTOR)
    away_set(entry=ben, away={first.pk: True, second.pk: False}, actor=events.ACTOR)
    slot_drop(slot=first, actor=events.ACTOR)
    assert stated(HallAction.SLOTS_CHANGED) == {
        "slot": {first.public_id: None},
        "place": {f"{night.public_id} 1": {"closed": [second.public_id]}},
        "away": {
            anna.public_id: None,
            ben.public_id: {"never": [], "rather_not": [plain(second.starts_at)]},
        },
    }


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"first": 8, "last": 12}, "first"),
        ({"first": 10, "last": 9}, "last"),
        ({"first": 10, "last": 600}, "last"),
        ({"first": 10, "last": 10, "size": 1}, "size"),
        ({"first": 10, "last": 10, "size": 21}, "size"),
        ({"first": 0, "last": 0}, "number"),
        ({"first": 10, "last": 10, "room": "Ke\u200bller"}, "room"),
    ],
)
def test_places_that_can_not_be_are_refused(
    night: Event, change: dict[str, Any], field: str
) -> None:
    places_add(event=night, actor=events.ACTOR, **EIGHT)
    with pytest.raises(ValidationError) as refused:
        places_add(event=night, actor=events.ACTOR, **{**EIGHT, **change})
    assert field in refused.value.error_dict
    assert HallPlace.objects.count() == 8


def test_a_hall_has_500_places_at_most(night: Event) -> None:
    places_add(event=night, actor=events.ACTOR, first=1, last=500, size=4, room="")
    with pytest.raises(ValidationError, match="500"):
        places_add(event=night, actor=events.ACTOR, first=501, last=501, size=4, room="")


def test_times_follow_each_other_over_midnight(night: Event) -> None:
    halls.hall(night, starts_at=datetime(2026, 12, 3, 22, 0, tzinfo=UTC))
    assert names(night) == ["Thu 23:00", "Thu 23:50", "Fri 00:40", "Fri 01:30"]


def test_in_the_hour_that_october_repeats_times_carry_their_zone(night: Event) -> None:
    hours = halls.hall(night, slots=5, starts_at=datetime(2026, 10, 24, 23, 50, tzinfo=UTC))
    assert hours[4].starts_at - hours[0].starts_at == timedelta(minutes=200)
    slots_add(
        event=night,
        starts_at=datetime(2026, 10, 25, 0, 30, tzinfo=UTC),
        minutes=5,
        pause=0,
        count=1,
        actor=events.ACTOR,
    )
    assert names(night) == ["01:50", "02:30 CEST", "02:40", "02:30 CET", "03:20", "04:10"]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"starts_at": halls.EVENING + timedelta(minutes=30)}, "starts_at"),
        ({"starts_at": halls.EVENING - timedelta(minutes=20), "minutes": 30}, "starts_at"),
        ({"starts_at": datetime(1, 1, 1, tzinfo=UTC)}, "starts_at"),
        ({"minutes": 0}, "minutes"),
        ({"minutes": 1441}, "minutes"),
        ({"pause": -1}, "pause"),
        ({"count": 0}, "count"),
        ({"count": 501}, "count"),
    ],
)
def test_times_that_can_not_be_are_refused(
    night: Event, change: dict[str, Any], field: str
) -> None:
    halls.hall(night)
    given = {"starts_at": datetime(2027, 1, 1, tzinfo=UTC), "minutes": 40, "pause": 10, "count": 2}
    with pytest.raises(ValidationError) as refused:
        slots_add(event=night, actor=events.ACTOR, **{**given, **change})
    assert field in refused.value.error_dict
    assert Slot.objects.count() == 4


def test_times_right_behind_each_other_or_in_a_break_do_not_overlap(night: Event) -> None:
    halls.hall(night)
    begins = halls.EVENING + timedelta(minutes=40)
    slots_add(event=night, starts_at=begins, minutes=10, pause=40, count=3, actor=events.ACTOR)
    assert Slot.objects.count() == 7


def test_what_was_said_about_a_time_goes_with_it(night: Event) -> None:
    slots = halls.hall(night)
    entry = events.enter(night, events.players(night.club, 1))[0]
    assert away_set(
        entry=entry, away={slots[0].pk: True, slots[1].pk: False, 999_999: True}, actor=events.ACTOR
    )
    assert not away_set(
        entry=entry, away={slots[0].pk: True, slots[1].pk: False}, actor=events.ACTOR
    )
    place = HallPlace.objects.select_related("event").earliest("number")
    place_change(
        place=place, room="", size=4, closed=[slots[0].pk, slots[2].pk], actor=events.ACTOR
    )
    slot_drop(slot=slots[0], actor=events.ACTOR)
    place.refresh_from_db()
    assert place.closed == [slots[2].pk]
    assert [row.must for row in hall_of(night).away] == [False]


def test_nothing_changes_in_the_hall_of_an_event_that_is_over(night: Event) -> None:
    halls.hall(night)
    event_move(event=night, status=Event.Status.CANCELLED, actor=events.ACTOR)
    with pytest.raises(ValidationError, match="over"):
        place_drop(
            place=HallPlace.objects.select_related("event").earliest("number"), actor=events.ACTOR
        )


def test_a_timetable_begins_with_the_time_that_is_not_over(night: Event) -> None:
    slots = halls.hall(night, starts_at=datetime(2020, 1, 1, tzinfo=UTC))
    assert next_slot(slots) == slots[0]
    (coming,) = slots_add(
        event=night,
        starts_at=datetime(2099, 1, 1, tzinfo=UTC),
        minutes=40,
        pause=0,
        count=1,
        actor=events.ACTOR,
    )
    assert next_slot([*slots, coming]) == coming
    assert next_slot([]) is None


def test_a_time_that_the_clocks_skip_is_refused_by_the_page(desk: Client, night: Event) -> None:
    sent = {"add": "slots", "starts_at": "2027-03-28T02:30", "minutes": 40, "pause": 10, "count": 3}
    html = desk.post("/clubs/stern/desk/events/night-1/hall/", sent).content.decode()
    assert "skip this time" in html
    assert not Slot.objects.exists()
