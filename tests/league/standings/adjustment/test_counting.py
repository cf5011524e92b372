"""Penalties and set orders in the table of a season: counted on, computed anew, and by the engine
alone."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some
from hypothesis.extra.django import TestCase

from engine.record.write import write
from games.models import Game
from games.queries.game import game_record
from league.core.log.services import Actor
from league.disputes.correction.services import game_correct
from league.models import Appearance, RatingChange, Season
from league.stages.adjustment.domain import seats_put_last
from league.stages.adjustment.services.order import order_lift, order_set
from league.stages.adjustment.services.penalty import penalty_add, penalty_lift
from league.stages.result.services.void import game_restore, game_void_add
from league.standings.ranking.services.counting import ranking_count
from league.standings.standing.queries.days import play_days, rank_days
from league.standings.standing.queries.standing import row_of, shares_of, table_rows
from tests.factories.adjustments import acquit, adjust, random_ranks
from tests.factories.counted import bring, count, counted_season, rebuild_all, season_of_games
from tests.factories.derived import derived, ranking_differences
from tests.factories.league import SeasonFactory
from tests.factories.records import bluff_record, line
from tests.league.standings.ranked_game.test_recompute import (
    as_in,
    beside,
    computed,
    exported,
    published,
)

ARBITER = Actor(reason="As the arbiter ruled.")
GAMES = 7


def newest(season: Season, game: str) -> Game:
    return Game.objects.filter(season_game__season=season, external_id=game).latest("revision")


def figures(season: Season) -> dict[str, tuple[int, int, int, int]]:
    """Points, penalty, games and wins of every row, by handle."""
    return {
        row.handle: (row.points, row.penalty, row.games, row.wins)
        for row in table_rows(season.ranking)
    }


def test_a_penalty_lowers_the_total_of_one_row_and_is_told_beside_it(db: None) -> None:
    season = counted_season(3)
    game = Game.objects.earliest("pk")
    seat = Appearance.objects.get(ranking=season.ranking, game=game, seat=1)
    before = figures(season)
    ratings = list(RatingChange.objects.order_by("pk").values())
    penalty = penalty_add(game=game, seat=1, points=30, actor=ARBITER)
    count(season)
    fined = seat.player.handle
    points, _, games, wins = before[fined]
    assert figures(season) == before | {fined: (points - 30, 30, games, wins)}
    assert list(RatingChange.objects.order_by("pk").values()) == ratings, (
        "no rating moves, and none is computed anew"
    )
    (share,) = [
        share for share in shares_of(season.ranking, seat.player.public_id) if share.penalty
    ]
    assert (share.game.game, share.points, share.penalty) == (game.public_id, seat.points, 30)
    assert shares_of(season.ranking, seat.player.public_id)[-1].total == points - 30
    penalty_lift(penalty=penalty, actor=ARBITER)
    count(season)
    assert figures(season) == before


def test_a_total_can_fall_below_zero_on_every_page_of_it(db: None) -> None:
    season = counted_season(3, tie_breaks=["points_per_game", "points"])
    row = table_rows(season.ranking)[0]
    seat = Appearance.objects.filter(ranking=season.ranking, player__public_id=row.player).earliest(
        "game"
    )
    penalty_add(game=seat.game, seat=seat.seat, points=500, actor=ARBITER)
    count(season)
    fined = row_of(season.ranking, row.player)
    assert fined.points == row.points - 500
    assert fined.rank == len(table_rows(season.ranking))
    days = rank_days(season.ranking, seat.player, play_days(season.ranking, seat.player))
    assert (days[0].rank, days[0].points) == (fined.rank, fined.points)
    assert list(ranking_differences(season.ranking_id)) == []


def test_a_set_order_moves_points_wins_and_ratings(db: None) -> None:
    season = counted_season([bluff_record(1)], scoring="placement")
    game = Game.objects.get()
    before = derived(season.ranking)
    ranks = list(Appearance.objects.order_by("seat").values_list("rank", flat=True))
    winner = ranks.index(1)
    turned = list(seats_put_last([rank or 0 for rank in ranks], [winner]))
    order_set(game=game, ranks=turned, actor=ARBITER)
    count(season)
    held = Appearance.objects.order_by("seat")
    assert list(held.values_list("rank", flat=True)) == turned
    assert list(held.values_list("points", flat=True)) == [len(ranks) - rank for rank in turned]
    assert derived(season.ranking)["Rating"] != before["Rating"]
    assert list(ranking_differences(season.ranking_id)) == []
    order_lift(game=game, actor=ARBITER)
    count(season)
    assert derived(season.ranking) == before


def test_what_is_adjusted_in_a_game_goes_when_it_is_void_and_comes_back_with_it(db: None) -> None:
    season = counted_season(3)
    game = Game.objects.earliest("pk")
    penalty_add(game=game, seat=0, points=5, actor=ARBITER)
    order_set(game=game, ranks=[1] * game.seats.count(), actor=ARBITER)
    count(season)
    adjusted = derived(season.ranking)
    game_void_add(game=game, actor=ARBITER)
    count(season)
    assert sum(row.penalty for row in table_rows(season.ranking)) == 0
    game_restore(game=game, actor=ARBITER)
    count(season)
    assert derived(season.ranking) == adjusted


def test_a_penalty_before_the_game_was_counted_is_counted_once(db: None) -> None:
    season: Season = SeasonFactory.create(rules={})
    bring(season, bluff_record(1))
    penalty_add(game=Game.objects.get(), seat=0, points=5, actor=ARBITER)
    count(season)
    assert sum(row.penalty for row in table_rows(season.ranking)) == 5
    assert list(ranking_differences(season.ranking_id)) == []


class Laws(TestCase):
    """Whatever is entered, adjusted, voided, corrected, counted and rebuilt in whatever order."""

    @settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(
        some.lists(
            some.tuples(
                some.sampled_from(["adjust", "adjust", "void", "correct", "count", "rebuild"]),
                some.integers(0, 6),
            ),
            max_size=12,
        ),
        some.randoms(use_true_random=False),
    )
    def test_counting_on_is_a_rebuild_and_what_is_lifted_never_was(
        self, steps: list[tuple[str, int]], chance: Random
    ) -> None:
        season: Season = SeasonFactory.create(rules={})
        bring(season, *season_of_games(GAMES))
        voids: set[str] = set()
        for number, (step, of) in enumerate(steps):
            name = f"game-{of}"
            game = newest(season, name)
            if step == "adjust" and name not in voids:
                adjust(game, chance)
            elif step == "void":
                (game_restore if name in voids else game_void_add)(game=game, actor=ARBITER)
                voids ^= {name}
            elif step == "correct" and name not in voids:
                again = bluff_record(100 * (1 + number) + of, id=name)
                game_correct(game=game, line=line(again), reason="Mixed up.")
            elif step == "count":
                count(season)
            elif step == "rebuild":
                rebuild_all(season)
        count(season)
        stood = derived(season.ranking)
        assert list(ranking_differences(season.ranking_id)) == []
        rebuild_all(season)
        assert derived(season.ranking) == stood
        for name in sorted({f"game-{number}" for number in range(GAMES)} - voids):
            acquit(newest(season, name))
        count(season)
        for name in sorted(voids):
            game_restore(game=newest(season, name), actor=ARBITER)
            acquit(newest(season, name))
        count(season)
        assert derived(season.ranking) == derived(self.as_if_never(season).ranking)

    def as_if_never(self, season: Season) -> Season:
        """Another season of the same newest records, in which nothing was ever adjusted."""
        other: Season = SeasonFactory.create(rules={})
        records: list[dict[str, Any]] = []
        for number in range(GAMES):
            game = newest(season, f"game-{number}")
            records.append(self.record_of(game))
        bring(other, *records)
        count(other)
        return other

    def record_of(self, game: Game) -> dict[str, Any]:
        record: dict[str, Any] = json.loads(write(game_record(game)))
        for key in ("digests", "seal", "head", "reason", "replaces", "revision"):
            record.pop(key, None)
        return record


@pytest.mark.django_db
@pytest.mark.parametrize("scoring", ["cntdice", "placement"])
@pytest.mark.parametrize("seed", range(3))
def test_the_engine_computes_the_published_table_of_the_published_files(
    client: Client, tmp_path: Path, capsys: pytest.CaptureFixture[str], seed: int, scoring: str
) -> None:
    chance = Random(seed)
    season = counted_season(
        9, scoring=scoring, tie_breaks=["points", "points_per_game", "wins", "average_rank"]
    )
    for game in Game.objects.order_by("pk"):
        for _ in range(chance.randint(0, 3)):
            adjust(game, chance)
    ranking_count(ranking_id=season.ranking_id)
    table = as_in(published(client, season.club, "season-table", season.slug))
    file = exported(client, season.club, tmp_path, season.slug)
    options = beside(client, season.club, tmp_path, season.slug)
    assert computed(capsys, file, season.ranking, season.club.timezone, *options) == table
    without = computed(capsys, file, season.ranking, season.club.timezone, *options[:-2])
    assert without != table


def test_the_file_names_the_seats_that_were_adjusted_and_no_others(
    client: Client, db: None
) -> None:
    season = counted_season(3)
    first, second, _ = Game.objects.order_by("pk")
    adjustments = published(client, season.club, "season-adjustments", season.slug)
    assert adjustments == "game,seat,rank,penalty\n"
    penalty = penalty_add(game=first, seat=1, points=5, actor=ARBITER)
    penalty_add(game=first, seat=1, points=2, actor=ARBITER)
    ranks = random_ranks(Random(1), second.seats.count())
    order_set(game=second, ranks=ranks, actor=ARBITER)
    ranking_count(ranking_id=season.ranking_id)
    rows = list(
        csv.reader(io.StringIO(published(client, season.club, "season-adjustments", season.slug)))
    )
    assert rows[1] == [first.external_id, "2", "", "7"]
    assert rows[2:] == [
        [second.external_id, str(seat), str(rank), ""] for seat, rank in enumerate(ranks, start=1)
    ]
    penalty_lift(penalty=penalty, actor=ARBITER)
    order_lift(game=second, actor=ARBITER)
    ranking_count(ranking_id=season.ranking_id)
    rows = list(
        csv.reader(io.StringIO(published(client, season.club, "season-adjustments", season.slug)))
    )
    assert rows[1:] == [[first.external_id, "2", "", "2"]]
