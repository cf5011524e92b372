"""Who comes late is seated where the tables have room, waits where they don't, and never stops a
draw."""

from itertools import product
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.test import Client

from engine.illegal import Illegal
from league.events.entry.services.entry import entries_check_in, entry_withdraw
from league.models import Entry, Event, Format, Participant, Season, Stage, StageRound
from league.stages.stage.domain.latecomer import late_places
from league.stages.stage.domain.size import tables_of_group
from league.stages.stage.services.latecomer import entry_join_stage
from league.stages.stage.services.stage import stage_change
from tests.factories import events

pytestmark = pytest.mark.django_db


def playing(season: Season, count: int, **settings: Any) -> Stage:
    """A stage that has played a round."""
    night = events.event(season, status=Event.Status.RUNNING)
    events.enter(night, events.players(season.club, count))
    stage = events.stage(night, **settings)
    events.play(events.drawn(stage))
    return stage


def come(stage: Stage, count: int) -> list[Entry]:
    """So many come late."""
    return events.enter(stage.event, events.players(stage.event.club, count, "late"))


def sizes(stage: Stage) -> list[int]:
    """How many are in each group."""
    facts = events.facts(stage)
    return [len(facts.group_members(group.pk)) for group in facts.groups]


@pytest.mark.parametrize("late", range(8))
@pytest.mark.parametrize("wanted", [[4], [4, 3], [2], [3], [5, 4]])
def test_however_many_come_late_the_next_round_is_drawn(
    season: Season, wanted: list[int], late: int
) -> None:
    count = {4: 8, 2: 6, 3: 6, 5: 9}[wanted[0]]
    stage = playing(season, count, sizes=wanted)
    if late:
        come(stage, late)
    second = events.drawn(stage)
    assert second.status == StageRound.Status.PUBLISHED
    facts = events.facts(stage)
    seated = sum(len(table.entries) for table in facts.tables if table.round_number == 2)
    byes = sum(round == 2 for group in facts.groups for round, _ in facts.byes(group.pk))
    fitting = [
        n for n in range(late + 1) if not isinstance(tables_of_group(stage, count + n), Illegal)
    ]
    assert seated + byes == count + max(fitting)


def test_who_has_no_table_waits_until_others_come_and_then_all_come_in(season: Season) -> None:
    stage = playing(season, 8, sizes=[4])
    early = come(stage, 1) + events.enter(stage.event, events.players(stage.event.club, 2, "later"))
    assert sizes(stage) == [8]
    with pytest.raises(ValidationError, match="can’t seat one more"):
        entry_join_stage(entry=early[0], actor=events.ACTOR)
    last = events.enter(stage.event, events.players(stage.event.club, 1, "last"))
    assert sizes(stage) == [12]
    assert not entry_join_stage(entry=early[0], actor=events.ACTOR), "is in it already"
    seeds = Participant.objects.filter(stage=stage, entry__in=[*early, *last]).order_by("seed")
    assert [row.entry for row in seeds] == [*early, *last]


def test_who_waits_comes_in_where_somebody_leaves(season: Season) -> None:
    stage = playing(season, 8, sizes=[4])
    (late,) = come(stage, 1)
    entry_withdraw(entry=Entry.objects.get(number=1), actor=events.ACTOR)
    second = events.drawn(stage)
    assert second.status == StageRound.Status.PUBLISHED
    assert Participant.objects.filter(stage=stage, entry=late).exists()


def test_one_more_size_lets_a_stage_that_has_started_go_on(season: Season, desk: Client) -> None:
    stage = playing(season, 8, sizes=[4])
    come(stage, 1)
    cockpit, settings = (
        "/clubs/stern/desk/events/night-1/",
        "/clubs/stern/desk/events/night-1/stages/1/",
    )
    page = desk.get(cockpit).content.decode()
    assert "its tables can’t seat one more" in page
    assert settings in page
    assert "They join as soon as" in desk.get(f"{cockpit}check-in/").content.decode()
    given = {"name": "Main", "rounds": "3", "others": ["5"], "tie_break_1": "lots"}
    assert desk.post(settings, given).status_code == 302
    assert "t seat" not in desk.get(cockpit).content.decode()
    assert events.drawn(stage).status == StageRound.Status.PUBLISHED
    assert sizes(stage) == [9]


def test_a_stage_that_lost_somebody_goes_on_with_one_more_size(season: Season) -> None:
    stage = playing(season, 8, sizes=[4])
    entry_withdraw(entry=Entry.objects.get(number=1), actor=events.ACTOR)
    assert events.drawn(stage).status == StageRound.Status.FAILED
    stage_change(stage=stage, actor=events.ACTOR, sizes=[4, 3])
    assert events.drawn(stage).status == StageRound.Status.PUBLISHED


@pytest.mark.parametrize(
    ("settings", "after"),
    [
        ({"sizes": [4, 3]}, [3, 4]),
        ({"format": Format.SINGLE, "sizes": [2], "rounds": None}, [2, 3]),
    ],
)
def test_the_wanted_size_and_those_of_a_knock_out_stay(
    season: Season, settings: dict[str, Any], after: list[int]
) -> None:
    stage = playing(season, 8, **settings)
    with pytest.raises(ValidationError, match="can’t be changed any more"):
        stage_change(stage=stage, actor=events.ACTOR, sizes=after)


def test_of_several_groups_the_one_with_room_takes_them(season: Season) -> None:
    stage = playing(season, 14, sizes=[4, 3], groups=2)
    entry_withdraw(
        entry=Entry.objects.filter(participations__group__number=2)[0], actor=events.ACTOR
    )
    come(stage, 2)
    counted = [
        len([m for m in events.facts(stage).members.values() if m.plays and m.group == g.pk])
        for g in events.facts(stage).groups
    ]
    assert sorted(counted) == [7, 8]
    assert events.drawn(stage).status == StageRound.Status.PUBLISHED


def test_a_plan_for_latecomers_seats_as_many_as_any_other_and_as_evenly() -> None:
    for wanted, playing_now in product(
        ([4], [4, 3], [5], [6, 5], [2]), ((4,), (4, 8), (3, 6, 7), (0, 5, 6))
    ):
        stage = Stage(format=Format.SWISS, sizes=wanted)
        for count in range(8):
            ways = [
                way
                for way in product(range(count + 1), repeat=len(playing_now))
                if sum(way) <= count
                and all(
                    not more or not isinstance(tables_of_group(stage, here + more), Illegal)
                    for here, more in zip(playing_now, way, strict=True)
                )
            ]
            found = late_places(stage, playing_now, count)
            most = max(map(sum, ways))
            assert sum(found) == most
            uneven = min(
                sum((here + more) ** 2 for here, more in zip(playing_now, way, strict=True))
                for way in ways
                if sum(way) == most
            )
            assert (
                sum((here + more) ** 2 for here, more in zip(playing_now, found, strict=True))
                == uneven
            )


def test_checked_in_all_at_once_they_are_planned_together(season: Season) -> None:
    stage = playing(season, 8, sizes=[4], groups=1)
    late = events.enter(stage.event, events.players(stage.event.club, 7, "late"), check_in=False)
    assert entries_check_in(event=stage.event, entries=late, actor=events.ACTOR) == 7
    assert sizes(stage) == [12]
