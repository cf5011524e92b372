"""The way of a game into the table and the ratings: increment = rebuild, whatever happens on the way."""

import random
from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import Any
from unittest.mock import patch

import pytest
from django.db import connection
from django.db.models import Sum
from django.db.models.functions import Now

from games.models import Outbox
from league.imports.services.record import Outcome, record_import
from league.models import Appearance, Rating, RatingChange, Season, SeasonGame, Standing, Style
from league.rankings.services import season as season_service
from league.rankings.services.season import season_count, season_rebuild
from league.rankings.tasks import count_game, sweep_rankings
from league.rulings.services import game_correct
from tests.factories.league import SeasonFactory
from tests.factories.records import bluff_record, line

PLAYERS = ["anna", "ben", "cleo", "dario", "elif", "fritz", "greta"]


def season_of_games(count: int) -> list[dict[str, Any]]:
    """Records of as many games between changing players, some at the same minute, one without a time."""
    dice = random.Random(7)
    records = [
        bluff_record(
            seed,
            seats=dice.sample(PLAYERS, dice.randint(2, 5)),
            level=dice.choice(["dice", "bids", "result"]),
        )
        for seed in range(count)
    ]
    records[3]["played_at"] = records[4]["played_at"]
    del records[5]["played_at"]
    return records


def bring(season: Season, record: dict[str, Any]) -> Outbox:
    """Import one record as everybody does; returns its row in the outbox."""
    imported = record_import(season=season, line=line(record))
    assert imported.outcome == Outcome.CREATED, imported.error
    return Outbox.objects.get(game=imported.game)


def rows(season: Season) -> list[list[dict[str, Any]]]:
    """All that is derived of a season, without the ids of the rows themselves, which a rebuild may change."""
    hidden = {"id", "_state", "season_id", "last_game_id", "season_game_id"}

    def plain(found: Iterable[Any]) -> list[dict[str, Any]]:
        return [{key: value for key, value in vars(row).items() if key not in hidden} for row in found]

    def handle(row: dict[str, Any]) -> dict[str, Any]:
        return row | {"player_id": names[row["player_id"]]}

    names = dict(Appearance.objects.filter(season=season).values_list("player_id", "player__handle"))
    changes = RatingChange.objects.filter(season_game__season=season).order_by(
        "season_game__external_id", "player__handle"
    )
    derived = (
        Standing.objects.filter(season=season).order_by("player__handle"),
        Rating.objects.filter(season=season).order_by("player__handle"),
        changes,
        Style.objects.filter(season=season).order_by("player__handle"),
    )
    return [[handle(row) for row in plain(found)] for found in derived]


@pytest.fixture
def season(db: None) -> Season:
    return SeasonFactory.create(rules={})


def test_points_of_the_table_are_the_sums_of_the_games(season: Season) -> None:
    for record in season_of_games(12):
        bring(season, record)
    season_count(season_id=season.pk)
    for row in Standing.objects.filter(season=season):
        seats = Appearance.objects.filter(season=season, player=row.player)
        assert row.points == seats.aggregate(sum=Sum("points"))["sum"]
        assert row.games == seats.count()
        assert row.wins == seats.filter(rank=1).count()


@pytest.mark.parametrize("seed", range(4))
def test_any_order_of_delivery_gives_what_a_rebuild_gives(season: Season, seed: int) -> None:
    records = season_of_games(14)
    random.Random(seed).shuffle(records)
    for record in records:
        row = bring(season, record)
        count_game(row.pk)
        count_game(row.pk)
    counted = rows(season)
    season_rebuild(season_id=season.pk)
    assert rows(season) == counted


def test_the_order_of_delivery_leaves_no_trace(season: Season) -> None:
    records = season_of_games(14)
    other = SeasonFactory.create()
    for record in records:
        count_game(bring(season, record).pk)
    for record in reversed(records):
        count_game(bring(other, record).pk)
    assert rows(season) == rows(other)


def test_games_counted_in_portions_or_at_once_are_the_same(season: Season) -> None:
    other = SeasonFactory.create()
    for record in season_of_games(10):
        count_game(bring(season, record).pk)
        bring(other, record)
    assert season_count(season_id=other.pk) == 10
    assert rows(season) == rows(other)


def test_a_job_run_twice_counts_once(season: Season) -> None:
    row = bring(season, bluff_record(1))
    assert season_count(season_id=season.pk) == 1
    version = Season.objects.get().version
    assert season_count(season_id=season.pk) == 0
    count_game(row.pk)
    assert Season.objects.get().version == version
    assert Standing.objects.filter(games=1).count() == 3


def test_a_job_for_a_row_that_is_gone_does_nothing(season: Season) -> None:
    count_game(4711)
    assert not Standing.objects.exists()


def test_a_game_that_stopped_in_the_middle_does_not_count(season: Season) -> None:
    imported = record_import(season=season, line=line(bluff_record(1, rounds=2)))
    assert imported.outcome == Outcome.CREATED
    assert not Outbox.objects.exists()
    season_rebuild(season_id=season.pk)
    assert not Standing.objects.exists()


def test_only_rows_that_changed_are_written(season: Season, django_assert_max_num_queries: Callable[..., Any]) -> None:
    for record in season_of_games(10):
        count_game(bring(season, record).pk)
    before = {row.pk: row for row in Standing.objects.all()}
    record = bluff_record(99, seats=["newcomer", "other"])
    row = bring(season, record)
    with django_assert_max_num_queries(32):
        count_game(row.pk)
    changed = {row.player.handle for row in Standing.objects.all() if row.pk not in before}
    assert changed == {"newcomer", "other"}
    season_rebuild(season_id=season.pk)
    with django_assert_max_num_queries(32) as queries:
        season_rebuild(season_id=season.pk)
    assert not [query for query in queries if "UPDATE" in query["sql"] and "league_standing" in query["sql"]]


def test_the_work_for_a_game_does_not_grow_with_the_history(season: Season) -> None:
    def queries_of_one_more(seed: int) -> int:
        row = bring(season, bluff_record(seed))
        with patch.object(connection, "queries_log", []), connection.execute_wrapper(count):
            seen.clear()
            count_game(row.pk)
        return len(seen)

    seen: list[str] = []

    def count(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        seen.append(sql)
        return execute(sql, params, many, context)

    queries_of_one_more(1)
    early = queries_of_one_more(2)
    for seed in range(3, 20):
        bring(season, bluff_record(seed))
    season_count(season_id=season.pk)
    assert queries_of_one_more(20) == early


def test_a_worker_that_dies_between_claim_and_write_leaves_all_as_it_was(season: Season) -> None:
    count_game(bring(season, bluff_record(1)).pk)
    before = rows(season)
    row = bring(season, bluff_record(2))
    with patch.object(season_service, "_announce", side_effect=SystemExit), pytest.raises(SystemExit):
        count_game(row.pk)
    assert rows(season) == before
    assert Outbox.objects.filter(done_at=None).count() == 1
    count_game(row.pk)
    assert SeasonGame.objects.filter(counted=True).count() == 2


def test_a_row_that_fails_is_pushed_back_and_the_others_count(season: Season) -> None:
    bad = bring(season, bluff_record(1))
    good = bring(season, bluff_record(2))
    Appearance.objects.filter(season_game__game=bad.game).update(points=None)
    assert season_count(season_id=season.pk) == 1
    bad.refresh_from_db()
    good.refresh_from_db()
    assert good.done_at
    assert not bad.done_at
    assert bad.attempts == 1
    assert "isn't over" in bad.error
    assert season_count(season_id=season.pk) == 0, "it waits until it is due"


def test_the_sweep_finds_a_row_whose_call_was_lost(season: Season) -> None:
    bring(season, bluff_record(1))
    with patch("league.rankings.tasks.count_season.delay") as call:
        sweep_rankings()
    call.assert_called_once_with(season.pk)


def test_an_unrated_season_has_a_table_and_no_ratings(db: None) -> None:
    season = SeasonFactory.create(rated=False)
    count_game(bring(season, bluff_record(1)).pk)
    season_rebuild(season_id=season.pk)
    assert Standing.objects.count() == 3
    assert not Rating.objects.exists()


def test_a_correction_replaces_what_the_game_brought(season: Season) -> None:
    for seed in range(6):
        count_game(bring(season, bluff_record(seed)).pk)
    wrong = SeasonGame.objects.get(external_id="game-2").game
    right = bluff_record(50, id="game-2", played_at=bluff_record(2)["played_at"])
    corrected = game_correct(game=wrong, line=line(right), reason="The scorer had mixed up two seats.")
    count_game(Outbox.objects.get(game=corrected).pk)
    after = rows(season)
    season_rebuild(season_id=season.pk)
    assert rows(season) == after
    other = SeasonFactory.create()
    for seed in (0, 1, 3, 4, 5):
        bring(other, bluff_record(seed))
    bring(other, right)
    season_count(season_id=other.pk)
    assert rows(other) == after


def test_the_arrow_compares_with_the_table_before_the_last_day(season: Season) -> None:
    early = [bluff_record(seed) for seed in range(4)]
    late = [bluff_record(seed) for seed in range(5, 8)]
    for record in early:
        bring(season, record)
    season_count(season_id=season.pk)
    before = dict(Standing.objects.values_list("player", "rank"))
    for record in reversed(late):
        count_game(bring(season, record).pk)
    assert dict(Standing.objects.values_list("player", "rank_before")) == before


def test_a_correction_leaves_alone_what_still_waits(season: Season) -> None:
    count_game(bring(season, bluff_record(1)).pk)
    bring(season, bluff_record(2))
    wrong = SeasonGame.objects.get(external_id="game-1").game
    corrected = game_correct(game=wrong, line=line(bluff_record(9, id="game-1")), reason="Seats were mixed up.")
    only = Outbox.objects.get(game=corrected)
    Outbox.objects.filter(done_at=None).exclude(pk=only.pk).update(due_at=Now() + timedelta(hours=1))
    count_game(only.pk)
    assert Standing.objects.get(player__handle="anna").games == 1
    Outbox.objects.update(due_at=Now())
    season_count(season_id=season.pk)
    assert Standing.objects.get(player__handle="anna").games == 2
    counted = rows(season)
    season_rebuild(season_id=season.pk)
    assert rows(season) == counted
