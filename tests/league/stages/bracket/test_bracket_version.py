"""A knock-out that began by an earlier plan of the bracket is played to its end by it."""

from __future__ import annotations

import json

import psycopg
import pytest
from psycopg.rows import TupleRow

from engine.pairing.brackets.bracket_plan import PlannedTable, plan
from league.disputes.otherwise.domain.round import drawn_otherwise
from league.models import Draw, Event, Format, Stage, StageRound
from league.stages.bracket.domain.bracket import bracket
from league.stages.placing.domain.place import knocked_out
from league.stages.table.domain.level import advancing_count
from league.stages.table.domain.table import round_tables
from tests.factories import events
from tests.factories.league import SeasonFactory

pytestmark = pytest.mark.django_db(transaction=True)
PLAYERS = 10


def cup() -> Stage:
    event = events.event(SeasonFactory.create(scoring="placement"), status=Event.Status.RUNNING)
    events.crowd(event, PLAYERS)
    return events.stage(event, format=Format.DOUBLE, sizes=[2], rounds=None)


def play(stage: Stage, rounds: int) -> StageRound:
    """Play so many rounds, the better seeded always first; the last one is drawn."""
    members = events.facts(stage).group_members(events.facts(stage).groups[0].pk)
    for _ in range(rounds):
        events.play(events.drawn(stage), best=[member.entry_id for member in members])
    return events.drawn(stage)


def as_of_before(stage_round: StageRound, forger: psycopg.Connection[TupleRow]) -> None:
    """Let a draw be one of the first plan, as an earlier version stored it."""
    draw = Draw.objects.get(stage_round=stage_round)
    answer = json.dumps({**json.loads(draw.answer), "version": 1})
    forger.execute("UPDATE league_draw SET answer = %s WHERE id = %s", [answer, draw.pk])


def labels_by_round(planned: tuple[PlannedTable, ...]) -> dict[int, set[str]]:
    rounds: dict[int, set[str]] = {}
    for table in planned:
        rounds.setdefault(table.round_number + 1, set()).add(table.label)
    return rounds


def test_it_goes_on_by_the_plan_with_which_it_began(forger: psycopg.Connection[TupleRow]) -> None:
    stage = cup()
    first = events.drawn(stage)
    as_of_before(first, forger)
    members = [
        member.entry_id
        for member in events.facts(stage).group_members(events.facts(stage).groups[0].pk)
    ]
    events.play(first, best=members)
    last = play(stage, 4)
    facts = events.facts(stage)
    before = labels_by_round(plan(PLAYERS, 2, 1, "double", version=1).tables)
    for number in range(1, last.number + 1):
        assert {table.label for table in facts.tables if table.round_number == number} == before[
            number
        ]
    assert before != labels_by_round(plan(PLAYERS, 2, 1, "double").tables)
    met = [{*facts.ids(table)} for table in facts.tables if table.label in ("W2.4", "L3.1")]
    assert met == [{members[3], members[4]}] * 2
    answers = [json.loads(draw.answer)["version"] for draw in facts.draws]
    assert answers == [1] * last.number


def test_its_pages_tell_of_the_plan_with_which_it_began(
    forger: psycopg.Connection[TupleRow],
) -> None:
    stage = cup()
    first = events.drawn(stage)
    as_of_before(first, forger)
    members = [
        member.entry_id
        for member in events.facts(stage).group_members(events.facts(stage).groups[0].pk)
    ]
    events.play(first, best=members)
    last = play(stage, 4)
    facts = events.facts(stage)
    assert drawn_otherwise(facts) == []
    for stage_round in facts.rounds:
        assert all(
            table.why for group in round_tables(facts, stage_round) for table in group.tables
        )
    picture = bracket(facts)
    assert picture is not None
    drawn = {card.label for card in picture.cards if card.url_id is not None}
    assert drawn == {table.label for table in facts.tables}
    places, over = knocked_out(facts, facts.groups[0].pk)
    assert (len(places), over) == (PLAYERS, False)
    assert all(advancing_count(stage, table.label, PLAYERS) == 1 for table in facts.tables)
    assert last.number == 6


def test_a_new_one_goes_by_todays_plan() -> None:
    stage = cup()
    last = play(stage, 5)
    facts = events.facts(stage)
    today = labels_by_round(plan(PLAYERS, 2, 1, "double").tables)
    for number in range(1, last.number + 1):
        assert {table.label for table in facts.tables if table.round_number == number} == today[
            number
        ]
    for stage_round in facts.rounds:
        assert all(
            table.why for group in round_tables(facts, stage_round) for table in group.tables
        )
    assert drawn_otherwise(facts) == []
