"""Three strikes: who is last at a table gets one, and is out with the third; the last who is left
wins."""

from collections import Counter
from random import Random
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from engine.scoring.stage.ranking import stage_ranking
from engine.scoring.stage.results import StageResults
from engine.scoring.stage.stage_file import read_stage, write_stage
from league.core.log.ledger import ledger_differences
from league.events.entry.services.entry import entry_withdraw
from league.floor.cockpit.domain.cockpit import EventStep
from league.floor.cockpit.queries.cockpit import cockpit
from league.models import Event, Format, Season, Stage, StageScoring
from league.stages.course.services.event import event_move
from league.stages.course.services.stage import stage_finish
from league.stages.placing.domain.place import has_winner, stage_places
from league.stages.placing.domain.ranking import shown_groups
from league.stages.placing.domain.strikes import MOST, struck_out
from league.stages.result.domain.result import group_ranking, group_results
from league.stages.round.services import round_ask
from league.stages.stage.services.stage import stage_create
from tests.factories import events
from tests.league.counting.event_rebuild.rebuilt import differences, placing_season

pytestmark = pytest.mark.django_db
STRIKES: dict[str, Any] = {
    "format": Format.STRIKES,
    "sizes": [4, 3, 2],
    "rounds": None,
    "scoring": StageScoring.STRIKES,
}


def night(season: Season, count: int) -> Stage:
    made = events.event(season, status=Event.Status.RUNNING)
    events.crowd(made, count)
    return events.stage(made, **STRIKES)


def round_played(stage: Stage, best: list[str]) -> None:
    events.play(events.drawn(stage), best=best)


def ids_of(stage: Stage) -> list[str]:
    return [
        member.entry_id
        for member in events.facts(stage).group_members(events.facts(stage).groups[0].pk)
    ]


def lost(stage: Stage) -> Counter[str]:
    """How often everybody was last at a table, counted from the games alone."""
    facts = events.facts(stage)
    return Counter(
        facts.members[entry].entry_id
        for table in facts.tables
        for game in table.games
        for entry, rank in zip(game.entries, game.ranks or (), strict=True)
        if rank == max(game.ranks or ()) > 1
    )


def test_the_third_strike_puts_out_and_the_last_who_is_left_wins(season: Season) -> None:
    stage = night(season, 5)
    strong = ids_of(stage)
    for _ in range(20):
        if has_winner(events.facts(stage)):
            break
        out = struck_out(events.facts(stage), events.facts(stage).groups[0].pk)
        assert out == {entry for entry, times in lost(stage).items() if times >= MOST}
        round_played(stage, strong)
        facts = events.facts(stage)
        seated = {
            entry
            for table in facts.tables
            if table.round_number == facts.last_number
            for entry in table.entries
        }
        assert not {facts.members[entry].entry_id for entry in seated} & out, (
            "who is out sits at no table"
        )
    assert cockpit(stage.event).next_step == EventStep.FINISH_STAGE
    assert not any(row.still_in for row in shown_groups(events.facts(stage))[0].rows), (
        "the winner has the first place"
    )
    with pytest.raises(ValidationError, match="This stage is over"):
        round_ask(stage=stage, actor=events.ACTOR)
    stage_finish(stage=stage, actor=events.ACTOR)
    event_move(event=stage.event, status=Event.Status.FINISHED, actor=events.ACTOR)
    facts = events.facts(stage)
    first = stage_places(facts)[0]
    assert (first.place, facts.members[first.entry].entry_id) == (1, strong[0])
    assert differences(stage.event) == []
    assert list(ledger_differences(season.club_id)) == []


def test_who_is_out_has_a_place_and_who_plays_on_has_none_yet(season: Season) -> None:
    stage = night(season, 4)
    strong = ids_of(stage)
    for _ in range(3):
        round_played(stage, strong)
    (group,) = shown_groups(events.facts(stage))
    assert [(row.member.entry_id, row.still_in, row.rank) for row in group.rows][-1] == (
        strong[3],
        False,
        4,
    )
    assert all(row.still_in for row in group.rows[:3])
    assert str(group.rows[-1].why[0]) == f"{group.rows[-1].member.name} is out with 3 strikes"
    assert str(group.rows[0].why[0]) == f"{group.rows[0].member.name} has 0 of 3 strikes"


def test_those_who_share_the_last_place_have_a_strike_each_and_a_tie_of_all_has_none(
    season: Season,
) -> None:
    stage = night(season, 4)
    events.drawn(stage)
    table = events.facts(stage).tables[0]
    a, b, c, d = events.facts(stage).ids(table)
    events.tied(table.public_id, {a: 1, b: 2, c: 3, d: 3})
    assert lost(stage) == {c: 1, d: 1}
    facts = events.facts(stage)
    points = {
        row.participant.player_id: row.points for row in group_ranking(facts, facts.groups[0].pk)
    }
    assert points == {a: 1, b: 1, c: 0, d: 0}


def test_a_withdrawal_can_decide(season: Season) -> None:
    stage = night(season, 2)
    assert not has_winner(events.facts(stage))
    entry_withdraw(entry=stage.event.entries.order_by("number")[0], actor=events.ACTOR)
    assert has_winner(events.facts(stage))


def test_strikes_count_in_their_own_format_alone(season: Season) -> None:
    made = events.event(season)
    for wrong, field in (
        ({"scoring": StageScoring.PLACEMENT}, "scoring"),
        ({"format": Format.PODS, "rounds": 3}, "scoring"),
        ({"games": 2}, "games"),
        ({"groups": 2}, "groups"),
    ):
        with pytest.raises(ValidationError) as refused:
            stage_create(event=made, actor=events.ACTOR, name="Main", **{**STRIKES, **wrong})
        assert list(refused.value.message_dict) == [field]
    assert (
        stage_create(event=made, actor=events.ACTOR, name="Main", **STRIKES).scoring
        == StageScoring.STRIKES
    )


def test_the_form_asks_for_no_scoring_where_strikes_count_and_offers_them_nowhere_else(
    desk: Client, season: Season
) -> None:
    events.event(season)
    new = "/clubs/stern/desk/events/night-1/stages/new/?format="
    assert (
        not {"scoring", "games", "rounds"} & desk.get(f"{new}strikes").context["form"].fields.keys()
    )
    offered = [name for name, _ in desk.get(f"{new}pods").context["form"].fields["scoring"].choices]
    assert "placement" in offered
    assert "strikes" not in offered


class TestWholeEvenings(TestCase):
    @settings(max_examples=5)
    @given(seed=st.integers(0, 2**32))
    def test_whoever_wins_and_leaves_it_ends_is_replayed_and_ranked_the_same_from_its_file(
        self, seed: int
    ) -> None:
        chance = Random(seed)
        stage = night(placing_season(), chance.randint(3, 7))
        left_open = ids_of(stage)
        for _ in range(60):  # every round has a strike
            if has_winner(events.facts(stage)):
                break
            round_played(stage, chance.sample(left_open, len(left_open)))
            if chance.random() < 0.1:
                entry_withdraw(
                    entry=chance.choice(list(stage.event.entries.all())), actor=events.ACTOR
                )
        assert has_winner(events.facts(stage))
        facts = events.facts(stage)
        read = read_stage(write_stage(group_results(facts, facts.groups[0].pk)))
        assert isinstance(read, StageResults)
        ranked = group_ranking(facts, facts.groups[0].pk)
        assert [row.participant for row in stage_ranking(read)] == [
            row.participant for row in ranked
        ]
        out = struck_out(facts, facts.groups[0].pk)
        stayed = [row for row in ranked if not row.participant.withdrawn]
        assert [row.participant.player_id in out for row in stayed] == sorted(
            row.participant.player_id in out for row in stayed
        ), "who is out stands behind who isn't"
        assert differences(stage.event) == []
