"""An evening in divisions: one event, in which each division is ranked, and counts in the season,
by itself."""

import json
from random import Random
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from engine.record.write import write
from engine.scoring.stage.ranking import stage_ranking
from engine.scoring.stage.results import StageResults
from engine.scoring.stage.stage_file import read_stage, write_stage
from games.models import Game
from games.queries.game import sealed_record
from league.core.log.ledger import ledger_differences
from league.counting.event_counting.actions import CountingAction
from league.counting.event_counting.queries import counting_of, divisions_of, events_ranking
from league.counting.event_counting.services import counting_change, divisions_set
from league.counting.event_rebuild.services import event_rebuild
from league.counting.promotion.services import season_close
from league.disputes.otherwise.domain.stage import event_otherwise
from league.events.entry.services.entry import entry_withdraw
from league.models import Event, FinalRank, Player, Season, Stage, StageRound, Table
from league.stages.course.services.event import event_move
from league.stages.course.services.stage import stage_finish, stage_start_undo
from league.stages.result.domain.result import group_ranking, group_results
from league.stages.stage.actions import StageAction
from league.stages.stage.queries.facts import started_stages
from league.stages.stage.queries.group import played_in_divisions
from tests.factories import events
from tests.factories.logged import stated
from tests.league.counting.event_rebuild.rebuilt import (
    correct,
    differences,
    newest_games,
    placing_season,
)

pytestmark = pytest.mark.django_db
ACTOR = events.ACTOR


def divided(season: Season, **handles: list[Player]) -> None:
    """Let these players play in divisions of these names, the highest first; one goes up and one
    goes down."""
    last = len(handles)
    divisions_set(
        season=season,
        actor=ACTOR,
        divisions=[
            (name, int(place > 1), int(place < last)) for place, name in enumerate(handles, start=1)
        ],
        players={
            player.public_id: place
            for place, those in enumerate(handles.values(), start=1)
            for player in those
        },
    )


def night(season: Season, **settings: Any) -> tuple[Event, Stage]:
    """A running night of a first division of four and a second one of three, in its first stage."""
    divided(
        season,
        First=events.players(season.club, 4, "a"),
        Second=events.players(season.club, 3, "b"),
    )
    made = events.event(season, status=Event.Status.RUNNING)
    events.enter(made, list(Player.objects.filter(club=season.club).order_by("handle")))
    return made, events.stage(made, by_division=True, **settings)


def by_handle(made: Event) -> list[str]:
    """The ids of the entries by handle: so strong everybody is."""
    return list(made.entries.order_by("player__handle").values_list("public_id", flat=True))


def finished(made: Event, *stages: Stage) -> Event:
    for stage in stages:
        stage_finish(stage=stage, actor=ACTOR)
    event_move(event=made, status=Event.Status.FINISHED, actor=ACTOR)
    made.refresh_from_db()
    return made


def turn_round(game: Game) -> None:
    """Say that the last of a game was the first."""
    correct(game, json.loads(write(sealed_record(game)[0]))["outcome"]["rank"][::-1])


def ranks(made: Event) -> dict[str, int]:
    return dict(FinalRank.objects.filter(event=made).values_list("entry__player__handle", "rank"))


def test_tables_of_all_divisions_have_one_numbering_and_nobody_meets_another_division(
    season: Season,
) -> None:
    _, stage = night(season)
    events.drawn(stage)
    facts = events.facts(stage)
    assert [table.number for table in facts.tables] == [1, 2]
    seated = [
        sorted({facts.members[entry].handle[0] for entry in table.entries})
        for table in facts.tables
    ]
    assert seated == [["a"], ["b"]]


def test_the_log_states_who_plays_in_which_division_and_who_no_longer_does(season: Season) -> None:
    anna, ben = events.players(season.club, 2)
    divided(season, First=[anna], Second=[ben])
    divided(season, Only=[anna])
    name = season.public_id
    rows = stated(CountingAction.SEASON_DIVISIONS)
    assert rows["division"] == {f"{name} 1": {"up": 0, "down": 0}, f"{name} 2": None}
    assert rows["division player"] == {
        f"{name} {anna.public_id}": {"division": 1},
        f"{name} {ben.public_id}": None,
    }


def test_the_log_states_that_a_stage_whose_start_is_undone_has_no_divisions(season: Season) -> None:
    _, stage = night(season)
    groups = list(stage.group_set.values_list("public_id", flat=True))
    assert stated(StageAction.STARTED)["group"] == {
        group: {"stage": stage.public_id} for group in groups
    }
    stage_start_undo(stage=stage, actor=ACTOR)
    rows = stated(StageAction.CHANGED)
    assert rows["stage"] == {stage.public_id: {"status": "planned", "gone": [], "kept": ""}}
    assert rows["group"] == dict.fromkeys(groups)


def test_final_ranks_are_those_in_the_own_division(season: Season) -> None:
    made, stage = night(season, rounds=1)
    events.play(events.drawn(stage), best=by_handle(made))
    finished(made, stage)
    assert ranks(made) == {"a1": 1, "a2": 2, "a3": 3, "a4": 4, "b1": 1, "b2": 2, "b3": 3}
    assert differences(made) == []


def test_an_event_brings_each_division_what_it_would_alone(season: Season) -> None:
    counting_change(season=season, actor=ACTOR, per="event", points_table=[10, 6, 3])
    made, stage = night(season, rounds=1)
    events.play(events.drawn(stage), best=by_handle(made))
    finished(made, stage)
    counting = counting_of(season)
    assert counting is not None
    rows, people = events_ranking(season, counting)
    points = {people[row.player].handle: int(row.points) for row in rows}
    assert points == {"a1": 10, "b1": 10, "a2": 6, "b2": 6, "a3": 3, "b3": 3, "a4": 0}
    assert {event.name for row in rows for event in row.counted} == {
        "Night-1, First",
        "Night-1, Second",
    }


def test_who_is_first_goes_up_when_the_season_is_closed(season: Season) -> None:
    counting_change(season=season, actor=ACTOR, per="event")
    made, stage = night(season, rounds=1)
    events.play(events.drawn(stage), best=by_handle(made))
    finished(made, stage)
    following = season_close(
        season=season, actor=ACTOR, slug="next", name="Next", starts_on="2100-01-01"
    )
    first, second = divisions_of(following)
    names = dict(Player.objects.values_list("public_id", "handle"))
    assert sorted(names[player] for player, _, _ in first.players) == ["a1", "a2", "a3", "b1"]
    assert sorted(names[player] for player, _, _ in second.players) == ["a4", "b2", "b3"]


def test_in_a_later_stage_everybody_stays_in_the_own_division(season: Season) -> None:
    made, first = night(season, rounds=1)
    events.play(events.drawn(first), best=by_handle(made))
    stage_finish(stage=first, actor=ACTOR)
    divisions_set(season=season, actor=ACTOR, divisions=[], players={})
    final = events.stage(
        made, name="Final", rounds=1, takes=2, sizes=[2], seeding="stage", by_division=True
    )
    facts = events.facts(final)
    groups = {
        group.name: [member.handle for member in facts.group_members(group.pk)]
        for group in facts.groups
    }
    assert groups == {"First": ["a1", "a2"], "Second": ["b1", "b2"]}
    events.play(events.drawn(final), best=by_handle(made)[::-1])
    finished(made, final)
    assert ranks(made) == {"a2": 1, "a1": 2, "a3": 3, "a4": 4, "b2": 1, "b1": 2, "b3": 3}
    assert differences(made) == []


@pytest.mark.parametrize("gone", [2, 3])
def test_a_division_that_is_left_by_nearly_all_stops_no_other(
    season: Season, desk: Client, gone: int
) -> None:
    made, stage = night(season, rounds=2)
    events.play(events.drawn(stage), best=by_handle(made))
    for entry in made.entries.filter(player__handle__startswith="b").order_by("-player__handle")[
        :gone
    ]:
        entry_withdraw(entry=entry, actor=ACTOR)
    second = events.drawn(stage)
    assert second.status == StageRound.Status.PUBLISHED
    facts = events.facts(stage)
    seated = [
        facts.members[entry].handle
        for table in facts.tables
        if table.round_number == 2
        for entry in table.entries
    ]
    assert sorted(seated) == ["a1", "a2", "a3", "a4"]
    for address in (
        "events/night-1/stages/1/rounds/2/",
        "desk/events/night-1/stages/1/rounds/2/",
        "events/night-1/hall/",
    ):
        assert desk.get(f"/clubs/stern/{address}").status_code == 200
    events.play(second, best=by_handle(made))
    finished(made, stage)
    assert ranks(made) == {"a1": 1, "a2": 2, "a3": 3, "a4": 4, "b1": 1, "b2": 2, "b3": 3}
    assert differences(made) == []
    assert list(ledger_differences(season.club_id)) == []


def test_a_later_stage_gives_no_advice_that_nobody_can_follow(season: Season) -> None:
    made, first = night(season, rounds=1)
    events.play(events.drawn(first), best=by_handle(made))
    stage_finish(stage=first, actor=ACTOR)
    with pytest.raises(ValidationError, match=r"seat everybody \(.*\)\. Allow another size\."):
        events.stage(
            made, name="Final", rounds=1, takes=3, sizes=[4], seeding="stage", by_division=True
        )


def test_a_common_final_ranks_all_together(season: Season) -> None:
    made, first = night(season, rounds=1)
    events.play(events.drawn(first), best=by_handle(made))
    stage_finish(stage=first, actor=ACTOR)
    final = events.stage(
        made, name="Final", format="final", sizes=[4], rounds=1, takes=2, seeding="stage"
    )
    events.play(events.drawn(final), best=by_handle(made))
    finished(made, final)
    assert played_in_divisions(made) == {}
    best = [handle for handle, rank in sorted(ranks(made).items(), key=lambda row: row[1])]
    assert best[:4] == ["a1", "a2", "b1", "b2"]
    assert sorted(ranks(made).values()) == [1, 2, 3, 4, 5, 5, 7]


def test_a_correction_says_who_would_be_in_the_final_of_the_division(season: Season) -> None:
    made, first = night(season, rounds=1)
    events.play(events.drawn(first), best=by_handle(made))
    stage_finish(stage=first, actor=ACTOR)
    events.stage(
        made, name="Final", rounds=1, takes=2, sizes=[2], seeding="stage", by_division=True
    )
    assert event_otherwise(started_stages(made)) == []
    turn_round(newest_games(made)[0])
    (stage,) = event_otherwise(started_stages(made))
    assert stage.made is not None
    assert (sorted(stage.made.new), sorted(stage.made.out)) == (["a3", "a4"], ["a1", "a2"])
    assert differences(made) == []


class AnyEvening(TestCase):
    """Whole evenings, whoever is there, comes late, leaves and wins."""

    @settings(max_examples=3)
    @given(seed=st.integers(0, 10**6))
    def test_what_is_stored_is_what_follows_from_its_facts_and_each_division_is_ranked_the_same_from_its_file(
        self, seed: int
    ) -> None:
        chance = Random(seed)
        season = placing_season()
        names = [f"Division {number}" for number in range(1, chance.randint(2, 4))]
        players = {
            name: events.players(season.club, chance.randint(3, 9), f"d{n}-")
            for n, name in enumerate(names)
        }
        divided(season, **players)
        made = events.event(season, status=Event.Status.RUNNING)
        crowd = [player for those in players.values() for player in those]
        events.enter(made, chance.sample(crowd, len(crowd)))
        stage = events.stage(made, by_division=True, sizes=[4, 3, 2], rounds=3)
        for _ in range(3):
            ids = by_handle(made)
            events.play(events.drawn(stage), best=chance.sample(ids, len(ids)))
            entry_withdraw(entry=chance.choice(list(made.entries.all())), actor=ACTOR)
            events.enter(
                made, events.players(season.club, 1, f"late{chance.random()}"[2:].replace(".", ""))
            )
        turn_round(chance.choice(newest_games(made)))
        finished(made, stage)
        assert differences(made) == []
        assert list(ledger_differences(season.club_id)) == []
        before = ranks(made)
        FinalRank.objects.filter(event=made).delete()
        event_rebuild(event_id=made.pk, actor=ACTOR)
        assert ranks(made) == before
        facts = events.facts(stage)
        for group in facts.groups:
            read = read_stage(write_stage(group_results(facts, group.pk)))
            assert isinstance(read, StageResults)
            ranked = group_ranking(facts, group.pk)
            assert [(row.rank, row.participant) for row in stage_ranking(read)] == [
                (row.rank, row.participant) for row in ranked
            ]
            handles = {member.entry_id: member.handle for member in facts.members.values()}
            assert {
                handles[row.participant.player_id]: row.rank for row in ranked
            }.items() <= before.items()
        assert Table.objects.filter(stage_round__stage=stage, finished=False).count() == 0
