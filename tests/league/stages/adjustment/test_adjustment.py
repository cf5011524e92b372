"""Penalties and set orders: who may be fined, what a stage makes of it, and what is left of it in a
correction."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from random import Random
from typing import Any

import pytest
from django.db import transaction
from django.db.utils import ProgrammingError
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some
from hypothesis.extra.django import TestCase

from engine.illegal import Refused
from engine.record.write import write
from engine.scoring.points import MOST_PENALTY
from engine.scoring.stage.ranking import stage_ranking
from engine.scoring.stage.results import StageResults
from engine.scoring.stage.stage_file import read_stage, write_stage
from games.models import Game
from games.queries.game import game_record
from league.core.log.services import Actor, club_journal
from league.counting.event_rebuild.queries.verification import event_differences
from league.counting.event_rebuild.services import event_rebuild
from league.disputes.correction.services import correction_preview, game_correct
from league.models import (
    Format,
    LogEntry,
    Penalty,
    Season,
    SetOrder,
    Stage,
    StageScoring,
    TableScore,
)
from league.stages.adjustment.domain import seats_put_last
from league.stages.adjustment.services.order import absent_put_last, order_lift, order_set
from league.stages.adjustment.services.penalty import penalty_add, penalty_lift
from league.stages.bracket.domain.knock_out import order_of_finish, orders_so_far
from league.stages.placing.domain.place import points_to_carry
from league.stages.result.domain.result import group_ranking, group_results
from league.stages.result.services.void import game_void_add
from league.standings.adjustment.queries import adjustments_of
from tests.factories import events
from tests.factories.adjustments import acquit, adjust
from tests.factories.counted import bring, counted_season
from tests.factories.league import SeasonFactory
from tests.factories.records import bluff_record, line
from tests.league.stages.result.test_result import published, table_of

ARBITER = Actor(reason="As the arbiter ruled.")


def played(season: Season, **fields: Any) -> tuple[Stage, Game]:
    """A stage whose first round is played, and the game of its first table."""
    stage = published(season, **fields)
    events.play(stage.stage_rounds.get())
    return stage, Game.objects.get(table_game__table=table_of(stage))


def code(work: Callable[[], object]) -> str:
    with pytest.raises(Refused) as refused:
        work()
    return refused.value.illegal.code


def points(stage: Stage) -> dict[str, Fraction]:
    """The points of everybody in a stage of one group, by entry."""
    facts = events.facts(stage)
    return {
        row.participant.player_id: row.points for row in group_ranking(facts, facts.groups[0].pk)
    }


def seated(stage: Stage, game: Game) -> list[str]:
    """The ids of the entries in a game's seats."""
    facts = events.facts(stage)
    ids = {entry: member.entry_id for entry, member in facts.members.items()}
    return [ids[entry] for entry in TableScore.objects.get(game=game).entries]


def recomputed(stage: Stage) -> dict[str, Fraction]:
    """The same from the stage file alone."""
    facts = events.facts(stage)
    results = read_stage(write_stage(group_results(facts, facts.groups[0].pk)))
    assert isinstance(results, StageResults)
    return {row.participant.player_id: row.points for row in stage_ranking(results)}


def test_a_penalty_takes_points_off_in_the_stage(season: Season) -> None:
    stage, game = played(season, scoring=StageScoring.PLACEMENT)
    before = points(stage)
    penalty = penalty_add(game=game, seat=2, points=4, actor=ARBITER)
    fined = seated(stage, game)[2]
    assert points(stage) == before | {fined: before[fined] - 4}
    assert recomputed(stage) == points(stage)
    assert list(event_differences(stage.event_id)) == []
    penalty_lift(penalty=penalty, actor=ARBITER)
    assert points(stage) == before


def test_a_set_order_ranks_the_table_anew(season: Season) -> None:
    stage, game = played(season, scoring=StageScoring.PLACEMENT)
    before, seats = points(stage), seated(stage, game)
    score = TableScore.objects.get(game=game)
    assert score.ranks is not None
    winner = score.ranks.index(1)
    turned = seats_put_last(score.ranks, [winner])
    order_set(game=game, ranks=turned, actor=ARBITER)
    after = points(stage)
    assert after[seats[winner]] == 0
    assert sorted(after[seat] for seat in seats) == sorted(before[seat] for seat in seats)
    assert recomputed(stage) == after
    kept = TableScore.objects.get(game=game)
    assert (kept.ranks, kept.order) == (score.ranks, list(turned)), (
        "what was played stays beside it"
    )
    order_lift(game=game, actor=ARBITER)
    assert points(stage) == before
    assert TableScore.objects.get(game=game).order is None


def test_another_goes_on_in_a_knock_out(season: Season) -> None:
    stage, game = played(season, count=4, format=Format.SINGLE, sizes=[2], advance=1)
    group = events.facts(stage).groups[0].pk
    before = dict.fromkeys([order[0] for order in first_orders(stage, group)])
    seats = seated(stage, game)
    score = TableScore.objects.get(game=game)
    assert score.ranks is not None
    order_set(game=game, ranks=[3 - rank for rank in score.ranks], actor=ARBITER)
    after = dict.fromkeys([order[0] for order in first_orders(stage, group)])
    assert before.keys() ^ after.keys() == set(seats)


def first_orders(stage: Stage, group: int) -> list[tuple[str, ...]]:
    """The orders of finish of the tables of the first round."""
    facts = events.facts(stage)
    assert orders_so_far(facts, group) == ()
    return [order_of_finish(facts, table) for table in facts.tables]


def test_who_was_not_there_is_put_last_and_the_others_close_up() -> None:
    assert seats_put_last([2, 1, 3, 4], [1]) == (1, 4, 2, 3)
    assert seats_put_last([1, 1, 3, 4], [0, 3]) == (3, 1, 2, 3)
    assert seats_put_last([4, 3, 2, 1], [0]) == (4, 3, 2, 1)


def test_a_no_show_is_an_order(season: Season) -> None:
    _, game = played(season)
    seats = range(game.seats.count())
    assert code(lambda: absent_put_last(game=game, seats=[9], actor=ARBITER)) == "no_seat"
    assert code(lambda: absent_put_last(game=game, seats=[], actor=ARBITER)) == "no_seat"
    assert code(lambda: absent_put_last(game=game, seats=seats, actor=ARBITER)) == "nobody_there"
    score = TableScore.objects.get(game=game)
    assert score.ranks is not None
    winner = score.ranks.index(1)
    order = absent_put_last(game=game, seats=[winner], actor=ARBITER)
    assert order.ranks is not None
    assert order.ranks[winner] == len(seats)


def test_each_refusal_has_its_code(db: None) -> None:
    counted_season([bluff_record(1)])
    game = Game.objects.get()
    assert code(lambda: penalty_add(game=game, seat=3, points=1, actor=ARBITER)) == "no_seat"
    for amount in (0, -1, MOST_PENALTY + 1):
        refused = partial(penalty_add, game=game, seat=0, points=amount, actor=ARBITER)
        assert code(refused) == "bad_penalty"
    penalty = penalty_add(game=game, seat=0, points=MOST_PENALTY, actor=ARBITER)
    assert (
        code(lambda: penalty_add(game=game, seat=0, points=1, actor=ARBITER)) == "penalty_too_high"
    )
    lift = penalty_lift(penalty=penalty, actor=ARBITER)
    assert code(lambda: penalty_lift(penalty=penalty, actor=ARBITER)) == "penalty_lifted"
    assert code(lambda: penalty_lift(penalty=lift, actor=ARBITER)) == "penalty_lifted"
    penalty_add(game=game, seat=0, points=MOST_PENALTY, actor=ARBITER)
    assert code(lambda: order_lift(game=game, actor=ARBITER)) == "no_order"
    for ranks in ([1, 2], [1, 2, 4], [0, 1, 2]):
        assert code(lambda: order_set(game=game, ranks=ranks, actor=ARBITER)) == "bad_order"  # noqa: B023
    order_set(game=game, ranks=[1, 1, 1], actor=ARBITER)
    assert code(lambda: order_set(game=game, ranks=[1, 1, 1], actor=ARBITER)) == "order_unchanged"
    game_void_add(game=game, actor=ARBITER)
    assert code(lambda: penalty_add(game=game, seat=0, points=1, actor=ARBITER)) == "voided"
    assert code(lambda: order_set(game=game, ranks=[1, 2, 3], actor=ARBITER)) == "voided"


def test_only_the_newest_revision_of_a_game_that_is_over_is_adjusted(db: None) -> None:
    season = counted_season([bluff_record(1)])
    game = Game.objects.get()
    game_correct(game=game, line=line(bluff_record(9, id="game-1")), reason="Mixed up.")
    assert code(lambda: penalty_add(game=game, seat=0, points=1, actor=ARBITER)) == "conflict"
    assert code(lambda: order_set(game=game, ranks=[1, 1, 1], actor=ARBITER)) == "conflict"
    record = bluff_record(2)
    record["rounds"] = record["rounds"][:1]
    record.pop("result", None)
    bring(season, record)
    unfinished = Game.objects.get(external_id="game-2")
    assert code(lambda: penalty_add(game=unfinished, seat=0, points=1, actor=ARBITER)) == "not_over"


def test_facts_wait_their_turn_in_the_database_itself(db: None) -> None:
    counted_season([bluff_record(1)])
    game = Game.objects.get()
    row = {"game": game, "role": "arbiter", "made_at": game.entered_at}
    wrong: list[tuple[type[Penalty] | type[SetOrder], dict[str, Any], str]] = [
        (Penalty, {"number": 2, "seat": 0, "points": 1}, "out of turn"),
        (Penalty, {"number": 1, "seat": 7, "points": 1}, "has no seat"),
        (Penalty, {"number": 1, "seat": 0, "points": -1}, "takes off"),
        (Penalty, {"number": 1, "seat": 0, "points": MOST_PENALTY + 1}, "too many points"),
        (SetOrder, {"number": 2, "ranks": [1, 2, 3]}, "out of turn"),
        (SetOrder, {"number": 1, "ranks": None}, "out of turn"),
        (SetOrder, {"number": 1, "ranks": [1, 2]}, "not each seat"),
    ]
    for model, fields, message in wrong:
        with pytest.raises(ProgrammingError, match=message), transaction.atomic():
            model.objects.create(**row, **fields)
    penalty = penalty_add(game=game, seat=0, points=3, actor=ARBITER)
    with pytest.raises(ProgrammingError, match="takes off"), transaction.atomic():
        Penalty.objects.create(**row, number=2, seat=0, points=-2, lifts=penalty)
    for model in (Penalty, SetOrder):
        with pytest.raises(ProgrammingError, match="permission denied"), transaction.atomic():
            model.objects.update(role="organiser")


def test_several_adjustments_are_one_transaction_of_a_ruling(season: Season) -> None:
    """A caller can hold the table and the log, add facts of its own, and let a failure take all of
    it back."""
    stage, game = played(season)
    before = points(stage)

    def rule() -> None:
        with transaction.atomic():
            with club_journal(season.club_id, ARBITER) as journal:
                journal.lock()
            penalty_add(game=game, seat=0, points=1, actor=ARBITER, role="arbiter")
            order_set(game=game, ranks=[1] * game.seats.count(), actor=ARBITER, role="arbiter")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        rule()
    assert not Penalty.objects.exists()
    assert not SetOrder.objects.exists()
    assert points(stage) == before
    penalty_add(game=game, seat=0, points=1, actor=ARBITER, role="arbiter")
    assert Penalty.objects.get().role == "arbiter"
    entry = LogEntry.objects.get(action="game.penalized")
    assert json.loads(entry.payload)["points"] == 1


def corrected(game: Game, seats: list[str]) -> Game:
    """A correction of a game with other people in its seats."""
    other = bluff_record(9, id=game.external_id, seats=seats)
    preview = correction_preview(game=game, line=line(other))
    newer = game_correct(game=game, line=line(other), reason="Mixed up.")
    assert preview.new_players == tuple(handle for handle in seats if handle == "zoe")
    return newer


def test_a_penalty_goes_with_its_player_into_a_correction(db: None) -> None:
    counted_season([bluff_record(1)])
    game = Game.objects.get()
    penalty_lift(penalty=penalty_add(game=game, seat=1, points=9, actor=ARBITER), actor=ARBITER)
    penalty_add(game=game, seat=1, points=3, actor=ARBITER)
    penalty_add(game=game, seat=2, points=5, actor=ARBITER)
    newer = corrected(game, ["ben", "anna", "zoe"])
    assert adjustments_of(newer).penalties == (3, 0, 0)
    (carried,) = Penalty.objects.filter(game=newer)
    assert carried.follows is not None
    assert (carried.follows.game, carried.follows.points) == (game, 3)
    again = corrected(newer, ["anna", "ben", "cleo"])
    assert adjustments_of(again).penalties == (0, 3, 0)


def test_a_set_order_holds_for_the_same_people_in_the_same_seats(db: None) -> None:
    counted_season([bluff_record(1)])
    game = Game.objects.get()
    order_set(game=game, ranks=[3, 1, 2], actor=ARBITER)
    newer = corrected(game, ["anna", "ben", "cleo"])
    assert adjustments_of(newer).order == (3, 1, 2)
    assert SetOrder.objects.get(game=newer).follows == game
    swapped = corrected(newer, ["ben", "anna", "cleo"])
    assert adjustments_of(swapped).order is None


class StageLaws(TestCase):
    """Whatever is adjusted in a stage, in whatever order."""

    @settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(
        some.sampled_from(
            [
                {"scoring": StageScoring.PLACEMENT},
                {"scoring": StageScoring.CNTDICE},
                {"scoring": StageScoring.PLACEMENT, "adjusted": False},
                {"format": Format.SINGLE, "sizes": [2], "advance": 1},
            ]
        ),
        some.lists(some.integers(0, 3), max_size=8),
        some.randoms(use_true_random=False),
    )
    def test_the_stage_file_gives_the_same_and_what_is_lifted_never_was(
        self, kind: dict[str, Any], steps: list[int], chance: Random
    ) -> None:
        season: Season = SeasonFactory.create(scoring="placement")
        stage = published(season, rounds=2, count=8, **kind)
        events.play(stage.stage_rounds.get())
        before = points(stage)
        games = list(Game.objects.filter(season_game__season=season).order_by("pk"))
        for number in steps:
            adjust(games[number % len(games)], chance)
        after = points(stage)
        assert recomputed(stage) == after
        assert list(event_differences(stage.event_id)) == []
        event_rebuild(event_id=stage.event_id, actor=events.ACTOR)
        assert points(stage) == after
        for game in games:
            acquit(game)
        assert points(stage) == before


def test_a_record_is_as_it_was_sealed(db: None) -> None:
    counted_season([bluff_record(1)])
    game = Game.objects.get()
    before = write(game_record(game))
    penalty_add(game=game, seat=0, points=1, actor=ARBITER)
    order_set(game=game, ranks=[1, 1, 1], actor=ARBITER)
    assert write(game_record(game)) == before


def test_nobody_begins_the_next_stage_below_zero(season: Season) -> None:
    stage, game = played(season, scoring=StageScoring.PLACEMENT)
    seats = seated(stage, game)
    penalty_add(game=game, seat=0, points=500, actor=ARBITER)
    facts = events.facts(stage)
    carried = points_to_carry(facts, ())
    entries = {member.entry_id: member.entry for member in facts.members.values()}
    assert points(stage)[seats[0]] < 0
    assert carried[entries[seats[0]]] == 0
    others = {entry_id: score for entry_id, score in points(stage).items() if entry_id != seats[0]}
    assert {entry_id: carried[entries[entry_id]] for entry_id in others} == {
        entry_id: int(score * 840) for entry_id, score in others.items()
    }
