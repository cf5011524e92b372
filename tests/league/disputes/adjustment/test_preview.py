"""What penalties and set orders would change is what they change then, to the last cell."""

from __future__ import annotations

import json
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some
from hypothesis.extra.django import TestCase

from engine.illegal import Refused
from engine.record.write import write
from engine.scoring.stage.results import PARTS
from engine.scoring.wording import written
from games.models import Game
from games.queries.game import game_record
from league.core.log.services import Actor
from league.disputes.adjustment.services import (
    AdjustmentPreview,
    absent_preview,
    lift_preview,
    order_preview,
    penalty_preview,
)
from league.disputes.correction.services import correction_preview, game_correct
from league.disputes.otherwise.domain.stage import event_otherwise
from league.models import (
    AllTime,
    Event,
    FinalRank,
    Format,
    Penalty,
    Season,
    SetOrder,
    Stage,
    StageScoring,
)
from league.stages.adjustment.domain import seats_put_last
from league.stages.adjustment.queries import ranks_counting
from league.stages.adjustment.services.lift import adjustments_lift
from league.stages.adjustment.services.order import absent_put_last, order_set
from league.stages.adjustment.services.penalty import penalty_add
from league.stages.course.services.stage import stage_finish
from league.stages.placing.services import places_write
from league.stages.stage.queries.facts import started_stages
from league.standings.adjustment.domain import NO_ADJUSTMENTS
from league.standings.adjustment.queries import adjustments_of
from league.standings.ranking.services.counting import ranking_count
from league.standings.season.services.season import all_time_create
from league.standings.standing.queries.standing import table_rows
from tests.factories import events
from tests.factories.adjustments import random_ranks
from tests.factories.counted import counted_season
from tests.factories.league import SeasonFactory
from tests.factories.records import bluff_record, line
from tests.league.stages.result.test_result import published

ARBITER = Actor(reason="As the arbiter ruled.")
Rows = dict[int, dict[str, tuple[int, int, int]]]


def evening(season: Season, **kind: Any) -> Stage:
    """A finished event of two rounds, counted."""
    stage = published(season, rounds=2, count=8, **kind)
    events.play(stage.stage_rounds.get())
    events.play(events.drawn(stage))
    while kind.get("format") == Format.SINGLE and not all(
        table.label == "final" for table in last_tables(stage)
    ):
        events.play(events.drawn(stage))
    stage_finish(stage=stage, actor=events.ACTOR)
    Event.objects.filter(pk=stage.event_id).update(status=Event.Status.FINISHED)
    places_write(event_id=stage.event_id)
    count(season)
    return stage


def last_tables(stage: Stage) -> list[Any]:
    facts = events.facts(stage)
    return [table for table in facts.tables if table.round_number == facts.last_number]


def rankings(season: Season) -> list[Any]:
    return [
        season.ranking,
        AllTime.objects.select_related("ranking").get(club=season.club_id).ranking,
    ]


def count(season: Season) -> None:
    for ranking in rankings(season):
        ranking_count(ranking_id=ranking.pk)


def rows(season: Season) -> Rows:
    """Rank, points and games of every row of every ranking that counts the season's games."""
    return {
        ranking.pk: {row.player: (row.rank, row.points, row.games) for row in table_rows(ranking)}
        for ranking in rankings(season)
    }


def finals(stage: Stage) -> dict[str, tuple[int, int]]:
    ranks = FinalRank.objects.filter(event=stage.event_id).values_list(
        "entry__player__name", "rank", "points"
    )
    return {name: (rank, score) for name, rank, score in ranks}


def compare(
    season: Season, stage: Stage, preview: AdjustmentPreview, before: Rows, finals_before: Any
) -> None:
    """Hold a preview against what has happened since."""
    after = rows(season)
    assert {effect.ranking_id for effect in preview.effects} == set(after)
    for effect in preview.effects:
        for row in effect.rows:
            assert row.player is not None
            was, current = (
                before[effect.ranking_id][row.player],
                after[effect.ranking_id][row.player],
            )
            assert (row.rank_before, row.points_before, row.games_before) == was
            assert (row.rank_after, row.points_after, row.games_after) == current
    assert preview.event is not None
    moved = {change.name: change.after for change in preview.event.finals}
    current_finals = finals(stage)
    for name, place in current_finals.items():
        if name in moved:
            standing = moved[name]
            assert standing is not None
            assert (standing.rank, standing.points) == (
                place[0],
                written(Fraction(place[1], PARTS)),
            )
        else:
            assert place == finals_before[name]
    otherwise = event_otherwise(started_stages(Event.objects.get(pk=stage.event_id)))
    assert [row.stage.pk for row in preview.event.stages] == [row.stage.pk for row in otherwise]
    assert [row.rounds for row in preview.event.stages] == [row.rounds for row in otherwise]


def corrected(game: Game, chance: Random) -> tuple[AdjustmentPreview | None, Game]:
    """Look at a correction to another end, whose adjustments go with it, and make it."""
    record = json.loads(write(game_record(game)))
    ranks = random_ranks(chance, game.seats.count())
    content = line(record | {"outcome": {"rank": ranks}})
    try:
        preview = correction_preview(game=game, line=content)
    except Refused:  # the same end, or one that no game has
        return None, game
    newer = game_correct(game=game, line=content, reason="Mixed up.")
    loaded = Game.objects.select_related("season_game__season__club").get(pk=newer.pk)
    return AdjustmentPreview(preview.effects, preview.event), loaded


KINDS: list[dict[str, Any]] = [
    {"scoring": StageScoring.PLACEMENT},
    {"scoring": StageScoring.PLACEMENT, "format": Format.SWISS},
    {"format": Format.SINGLE, "sizes": [2], "advance": 1},
]


class Laws(TestCase):
    """Random events, some of them with a bracket, and random adjustments in a row."""

    @settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(
        some.sampled_from(KINDS),
        some.lists(
            some.sampled_from(["fine", "lift", "set", "absent", "correct"]), min_size=1, max_size=5
        ),
        some.randoms(use_true_random=False),
    )
    def test_a_preview_is_what_then_happens(
        self, kind: dict[str, Any], steps: list[str], chance: Random
    ) -> None:
        season: Season = SeasonFactory.create(scoring="placement")
        all_time_create(club=season.club, actor=ARBITER)
        stage = evening(season, **kind)
        games = list(
            Game.objects.filter(season_game__season=season)
            .select_related("season_game__season__club")
            .order_by("pk")
        )
        for step in steps:
            before, finals_before = rows(season), finals(stage)
            number = chance.randrange(len(games))
            if step == "correct":
                preview, games[number] = corrected(games[number], chance)
            else:
                preview = self.work(games[number], step, chance)
            if preview is not None:
                count(season)
                compare(season, stage, preview, before, finals_before)

    def work(self, game: Game, step: str, chance: Random) -> AdjustmentPreview | None:
        """Look at an adjustment, and make it; None where there is nothing to adjust so."""
        seats = game.seats.count()
        if step == "fine":
            seat, points = chance.randrange(seats), chance.randint(1, 5)
            preview = penalty_preview(game=game, seat=seat, points=points)
            penalty_add(game=game, seat=seat, points=points, actor=ARBITER)
            return preview
        if step == "lift" and adjustments_of(game) != NO_ADJUSTMENTS:
            preview = lift_preview(game=game)
            adjustments_lift(game=game, actor=ARBITER)
            return preview
        if step == "set":
            ranks = random_ranks(chance, seats)
            if tuple(ranks) == ranks_counting(game):
                return None
            preview = order_preview(game=game, ranks=ranks)
            order_set(game=game, ranks=ranks, actor=ARBITER)
            return preview
        return self.absent(game, chance.randrange(seats)) if step == "absent" else None

    def absent(self, game: Game, seat: int) -> AdjustmentPreview | None:
        ranks = ranks_counting(game)
        if ranks == seats_put_last(ranks, [seat]):
            with pytest.raises(Refused) as refused:
                absent_preview(game=game, seats=[seat])
            assert refused.value.illegal.code == "order_unchanged"
            return None
        preview = absent_preview(game=game, seats=[seat])
        absent_put_last(game=game, seats=[seat], actor=ARBITER)
        return preview


@pytest.mark.django_db
def test_a_penalty_moves_no_rating_and_an_order_does() -> None:
    counted_season([bluff_record(1)], rated=True)
    game = Game.objects.select_related("season_game__season__club").get()
    (fined,) = penalty_preview(game=game, seat=0, points=2).effects
    assert fined.rated_again is None
    (ordered,) = order_preview(game=game, ranks=[1, 1, 1]).effects
    assert ordered.rated_again == 1
    assert not Penalty.objects.exists()
    assert not SetOrder.objects.exists()
