"""A timetable is asked for, made once by a job, moved by hand, published, and taken back."""

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError

from engine.messages import say
from league.core.log.services import Actor
from league.floor.hall.services import away_set, place_drop, slot_drop
from league.floor.timetable.domain.timetable import (
    TableKey,
    Timed,
    failure_lines,
    names_in,
    warnings,
)
from league.floor.timetable.queries import timetable_facts
from league.floor.timetable.services import (
    timetable_ask,
    timetable_fail,
    timetable_make,
    timetable_move,
    timetable_publish,
    timetable_take_back,
    timetables_waiting,
)
from league.floor.timetable.tasks import make_timetable, sweep_timetables
from league.models import Event, HallPlace, LogEntry, Season, Slot, Stage, Table, Timetable
from league.stages.course.services.event import event_move
from league.stages.round.services import round_take_back
from tests.factories import events, halls

pytestmark = pytest.mark.django_db
Status = Timetable.Status
BECAUSE = Actor(reason="The table wobbles.")


@pytest.fixture
def night(season: Season) -> Event:
    """An evening of sixteen whose first round is published: four tables of four."""
    made = events.event(season, status=Event.Status.RUNNING)
    events.enter(made, events.players(season.club, 16))
    events.drawn(events.stage(made))
    return made


def stage_of(event: Event) -> Stage:
    return Stage.objects.select_related("event__club").get(event=event)


def places(event: Event) -> list[tuple[str, str]]:
    """Place and time of the tables of an event, in the order of their numbers."""
    tables = Table.objects.filter(stage_round__stage__event=event).order_by(
        "stage_round__number", "number"
    )
    return [
        (table.place, f"{table.starts_at:%H:%M}" if table.starts_at else "") for table in tables
    ]


def test_the_tables_of_a_round_get_places_and_times_when_it_is_published(night: Event) -> None:
    halls.hall(night, places=2)
    made = halls.timetable(night)
    assert (made.status, made.proven) == (Status.READY, True)
    assert places(night) == [("1", ""), ("2", ""), ("3", ""), ("4", "")]
    timetable_publish(timetable=made, actor=events.ACTOR)
    assert sorted(places(night)) == [
        ("1 · Cellar", "18:30"),
        ("1 · Cellar", "19:20"),
        ("2 · Cellar", "18:30"),
        ("2 · Cellar", "19:20"),
    ]
    timetable_take_back(timetable=made, actor=events.ACTOR)
    assert made.status == Status.READY
    assert places(night) == [("1", ""), ("2", ""), ("3", ""), ("4", "")]


def test_a_timetable_delivered_twice_or_after_it_was_dropped_changes_nothing(night: Event) -> None:
    halls.hall(night)
    made = halls.timetable(night)
    entries = LogEntry.objects.count()
    timetable_make(timetable_id=made.pk)
    assert LogEntry.objects.count() == entries
    asked = timetable_ask(event=night, first=None, ahead=False, actor=events.ACTOR)
    timetable_take_back(timetable=asked, actor=events.ACTOR)
    timetable_make(timetable_id=asked.pk)
    assert not timetable_fail(timetable_id=asked.pk, reasons=[say("must not be empty")])
    asked.refresh_from_db()
    assert asked.status == Status.DROPPED
    assert not asked.tables.exists()


def test_the_same_input_gives_the_same_timetable(night: Event) -> None:
    halls.hall(night, places=2)
    first, second = halls.timetable(night), halls.timetable(night)
    assert first.input == second.input
    rows = [
        list(it.tables.values_list("stage", "round", "number", "slot", "place"))
        for it in (first, second)
    ]
    assert rows[0] == rows[1]
    first.refresh_from_db()
    assert first.status == Status.DROPPED


def test_rounds_to_come_keep_their_times_and_get_them_when_they_are_drawn(night: Event) -> None:
    halls.hall(night)
    made = halls.timetable(night, ahead=True, publish=True)
    assert made.tables.count() == 12
    stage = stage_of(night)
    events.play(stage.stage_rounds.select_related("stage__event").get())
    events.drawn(stage)
    assert {time for _, time in places(night)} == {"18:30", "19:20"}


def test_what_is_impossible_is_said_with_names_that_are_not_stored(night: Event) -> None:
    slots = halls.hall(night, slots=1)
    entry = night.entries.select_related("player", "event").get(number=1)
    away_set(entry=entry, away={slots[0].pk: True}, actor=events.ACTOR)
    made = halls.timetable(night)
    assert made.status == Status.FAILED
    facts = timetable_facts(night)
    lines = failure_lines(made, names_in(facts))
    assert any(f"{entry.player.name} can’t play at" in line for line in lines)
    assert any("round 1, table" in line for line in lines)
    assert entry.public_id in str(made.failure)


def test_a_wish_is_met_if_it_can_be(night: Event) -> None:
    slots = halls.hall(night, places=2)
    entry = night.entries.select_related("event").get(number=1)
    away_set(entry=entry, away={slots[0].pk: False}, actor=events.ACTOR)
    halls.timetable(night, publish=True)
    table = Table.objects.get(seats__entry=entry)
    assert table.starts_at == slots[1].starts_at


def test_moved_by_hand_it_says_so_and_warns(night: Event) -> None:
    halls.hall(night)
    made = halls.timetable(night, publish=True)
    facts = timetable_facts(night)
    rows = facts.assignment(facts.published)
    first, second = list(rows)[:2]
    clash = {first: rows[second]}
    assert any("at once" in line for line in warnings(facts, made, {**rows, **clash}))
    assert warnings(facts, made, rows) == []
    with pytest.raises(ValidationError, match="Say why"):
        timetable_move(timetable=made, moves=clash, version_seen=0, actor=Actor())
    assert timetable_move(timetable=made, moves=clash, version_seen=0, actor=BECAUSE)
    assert places(night)[0] == places(night)[1]
    entry = LogEntry.objects.get(action="timetable.changed")
    assert entry.why == "The table wobbles."
    with pytest.raises(ValidationError, match="Somebody else"):
        timetable_move(timetable=made, moves=clash, version_seen=0, actor=BECAUSE)


def test_a_round_that_is_drawn_later_can_be_put_in_by_hand(night: Event) -> None:
    slots = halls.hall(night)
    made = halls.timetable(night, publish=True)
    stage = stage_of(night)
    events.play(stage.stage_rounds.select_related("stage__event").get())
    events.drawn(stage)
    facts = timetable_facts(night)
    assert any(
        "has no time and place yet" in line
        for line in warnings(facts, made, facts.assignment(made))
    )
    place = HallPlace.objects.get(number=3)
    key = TableKey(stage.public_id, 2, 1)
    timetable_move(
        timetable=made, moves={key: Timed(slots[2], place)}, version_seen=0, actor=BECAUSE
    )
    assert places(night)[4] == ("3 · Cellar", "20:10")


def test_nothing_to_plan_or_to_plan_with_is_said(season: Season) -> None:
    night = events.event(season, status=Event.Status.RUNNING)
    with pytest.raises(ValidationError, match="no tables"):
        halls.timetable(night)
    events.enter(night, events.players(season.club, 4))
    events.drawn(events.stage(night))
    with pytest.raises(ValidationError, match="Add spots"):
        halls.timetable(night)


def test_only_one_is_made_at_a_time_and_none_after_the_end(night: Event) -> None:
    halls.hall(night)
    asked = timetable_ask(event=night, first=None, ahead=True, actor=events.ACTOR)
    with pytest.raises(ValidationError, match="already"):
        timetable_ask(event=night, first=None, ahead=True, actor=events.ACTOR)
    event_move(event=night, status=Event.Status.CANCELLED, actor=events.ACTOR)
    with pytest.raises(ValidationError, match="over"):
        timetable_publish(timetable=asked, actor=events.ACTOR)


def test_slots_before_the_first_one_chosen_are_left_alone(night: Event) -> None:
    slots = halls.hall(night)
    asked = timetable_ask(event=night, first=slots[2], ahead=False, actor=events.ACTOR)
    timetable_make(timetable_id=asked.pk)
    assert {row.slot for row in asked.tables.all()} == {slots[2]}


def test_what_a_timetable_uses_can_not_be_taken_away(night: Event) -> None:
    halls.hall(night)
    made = halls.timetable(night)
    used = made.tables.select_related("place__event", "slot__event")[0]
    with pytest.raises(ValidationError, match="take the timetable back"):
        place_drop(place=used.place, actor=events.ACTOR)
    with pytest.raises(ValidationError, match="move them first"):
        slot_drop(slot=used.slot, actor=events.ACTOR)
    timetable_take_back(timetable=made, actor=events.ACTOR)
    place_drop(place=used.place, actor=events.ACTOR)
    slot_drop(slot=used.slot, actor=events.ACTOR)
    assert HallPlace.objects.count() == 3
    assert Slot.objects.count() == 3


def test_places_taken_away_while_it_is_made_let_it_fail(night: Event) -> None:
    halls.hall(night)
    asked = timetable_ask(event=night, first=None, ahead=False, actor=events.ACTOR)
    place_drop(place=HallPlace.objects.select_related("event").get(number=1), actor=events.ACTOR)
    timetable_make(timetable_id=asked.pk)
    asked.refresh_from_db()
    assert asked.status == Status.FAILED


def test_a_round_taken_back_leaves_its_times_to_the_next_draw(night: Event) -> None:
    halls.hall(night, places=2)
    halls.timetable(night, publish=True)
    before = places(night)
    stage = stage_of(night)
    round_take_back(
        stage_round=stage.stage_rounds.select_related("stage__event").get(), actor=events.ACTOR
    )
    events.drawn(stage)
    tables = Table.objects.filter(stage_round__status="published").order_by("number")
    assert [(table.place, f"{table.starts_at:%H:%M}") for table in tables] == before


def test_the_job_and_its_sweep(night: Event) -> None:
    halls.hall(night)
    asked = timetable_ask(event=night, first=None, ahead=False, actor=events.ACTOR)
    assert timetables_waiting() == [asked.pk]
    make_timetable(asked.pk)
    assert timetables_waiting() == []
    sweep_timetables()


def test_a_new_timetable_takes_the_place_of_the_published_one(night: Event) -> None:
    slots = halls.hall(night)
    old = halls.timetable(night, publish=True)
    asked = timetable_ask(event=night, first=slots[1], ahead=False, actor=events.ACTOR)
    timetable_make(timetable_id=asked.pk)
    assert {time for _, time in places(night)} == {"18:30"}
    asked.refresh_from_db()
    timetable_publish(timetable=asked, actor=events.ACTOR)
    old.refresh_from_db()
    assert old.status == Status.DROPPED
    assert {time for _, time in places(night)} == {f"{slots[1].starts_at:%H:%M}"}
    assert slots[1].starts_at - slots[0].starts_at == timedelta(minutes=50)
