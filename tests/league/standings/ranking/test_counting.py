"""The way of a game into a ranking: increment = rebuild, whatever happens on the way."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any
from unittest.mock import patch

import pytest
from django.db import connection
from django.db.models import Sum
from django.db.models.functions import Now

from league.core.locks import Busy, Space, session_lock
from league.core.log.services import Actor
from league.models import Appearance, RankedGame, Rating, Reader, Season, SetAside, Standing
from league.standings.ranked_game.domain import outcome
from league.standings.ranked_game.domain.outcome import Unreadable
from league.standings.ranking.services import counting, rebuild
from league.standings.ranking.services.counting import ranking_count
from league.standings.ranking.services.rebuild import ranking_rebuild, ranking_rebuild_ask
from league.standings.ranking.tasks import count_ranking, sweep_rankings
from league.standings.rating.services import rating
from league.standings.style.services import styles_read
from tests.factories.counted import bring, count, games_by_player, rebuild_all, season_of_games
from tests.factories.derived import derived
from tests.factories.league import SeasonFactory
from tests.factories.records import bluff_record

pytestmark = pytest.mark.django_db


@pytest.fixture
def season(db: None) -> Season:
    return SeasonFactory.create(rules={})


@pytest.fixture
def small_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "BATCH", 3)
    monkeypatch.setattr(rating, "BATCH", 2)
    monkeypatch.setattr(rating, "LATEST", 3)
    monkeypatch.setattr(Rating, "RECENT", 2)
    monkeypatch.setattr(rebuild, "GAMES", 2)
    monkeypatch.setattr(rebuild, "PLAYERS", 2)


def test_points_of_a_row_are_the_sums_of_its_games(season: Season) -> None:
    bring(season, *season_of_games(12))
    count(season)
    for row in Standing.objects.filter(ranking=season.ranking):
        seats = Appearance.objects.filter(ranking=season.ranking, player=row.player_id)
        assert row.points == seats.aggregate(sum=Sum("points"))["sum"]
        assert row.games == seats.count()
        assert row.wins == seats.filter(rank=1).count()


@pytest.mark.parametrize("seed", range(4))
def test_any_order_of_delivery_gives_what_a_rebuild_gives(season: Season, seed: int) -> None:
    records = season_of_games(14)
    random.Random(seed).shuffle(records)
    for record in records:
        bring(season, record)
        count(season)
        count(season)
    counted = derived(season.ranking)
    rebuild_all(season)
    assert derived(season.ranking) == counted


def test_the_order_of_delivery_leaves_no_trace(season: Season) -> None:
    records = season_of_games(14)
    other = SeasonFactory.create()
    for record in records:
        bring(season, record)
        count(season)
    for record in reversed(records):
        bring(other, record)
        count(other)
    assert derived(season.ranking) == derived(other.ranking)


@pytest.mark.usefixtures("small_portions")
def test_late_games_change_ratings_in_portions_to_what_a_rebuild_gives(season: Season) -> None:
    for record in reversed(season_of_games(14)):
        bring(season, record)
        count(season)
    counted = derived(season.ranking)
    rebuild_all(season)
    assert derived(season.ranking) == counted


@pytest.mark.usefixtures("small_portions")
def test_what_is_stored_is_read_until_a_portion_has_changed(season: Season) -> None:
    first, *others = season_of_games(7)
    bring(season, *others)
    count(season)
    read, looks = rating._games_from, list[bool]()

    def noting(state: Any, place: Any, *, compared: bool) -> Any:
        looks.append(compared)
        return read(state, place, compared=compared)

    with patch.object(rating, "_games_from", noting):
        bring(season, first)
        count(season)
        assert looks == [True, False, False, False]
        looks.clear()
        rebuild_all(season)
    assert looks == [True] * 4, "a rebuild of what is right writes nothing"


@pytest.mark.usefixtures("small_portions")
def test_games_counted_in_portions_or_one_by_one_are_the_same(season: Season) -> None:
    other = SeasonFactory.create()
    for record in season_of_games(11):
        bring(season, record)
        count(season)
        bring(other, record)
    count(other)
    assert derived(season.ranking) == derived(other.ranking)
    rebuild_all(other)
    assert derived(season.ranking) == derived(other.ranking)


@pytest.mark.usefixtures("small_portions")
def test_every_portion_is_published_and_kept_if_the_worker_dies_after_it(season: Season) -> None:
    bring(season, *season_of_games(8))
    whole, portions = counting.fold, []

    def dies(*args: Any) -> bool:
        portions.append(args)
        if len(portions) == 3:
            raise SystemExit
        return whole(*args)

    with patch.object(counting, "fold", dies), pytest.raises(SystemExit):
        ranking_count(ranking_id=season.ranking_id)
    season.ranking.refresh_from_db()
    assert (season.ranking.version, RankedGame.objects.count()) == (2, 6)
    count(season)
    assert RankedGame.objects.count() == 8


def test_a_job_run_twice_counts_once(season: Season) -> None:
    bring(season, bluff_record(1))
    count(season)
    version = Season.objects.get().ranking.version
    count_ranking(season.ranking_id)
    season.ranking.refresh_from_db()
    assert season.ranking.version == version
    assert games_by_player() == {"anna": 1, "ben": 1, "cleo": 1}


def test_a_game_that_stopped_in_the_middle_is_listed_and_counts_for_nothing(season: Season) -> None:
    bring(season, bluff_record(1, rounds=2))
    count(season)
    assert [game.over for game in RankedGame.objects.all()] == [False]
    assert not Standing.objects.exists()
    rebuild_all(season)
    assert not Standing.objects.exists()


def written() -> dict[str, str]:
    """The transaction that wrote each row of the standings last, by handle."""
    rows = Standing.objects.extra(
        select={"written": "league_standing.xmin::text || league_standing.cmin::text"}
    )
    return dict(rows.values_list("player__handle", "written"))


def test_only_rows_of_those_who_played_are_written(season: Season) -> None:
    bring(season, *season_of_games(10))
    count(season)
    before = written()
    bring(season, bluff_record(99, seats=["newcomer", "other"]))
    count(season)
    after = written()
    assert {handle for handle in after if after[handle] != before.get(handle)} == {
        "newcomer",
        "other",
    }


def test_a_rebuild_of_what_is_right_writes_no_row(season: Season) -> None:
    bring(season, *season_of_games(10))
    count(season)
    before = written()
    ranking_rebuild_ask(ranking=season.ranking, actor=Actor())
    ranking_rebuild(ranking_id=season.ranking_id)
    assert written() == before


@pytest.fixture
def statements() -> Iterator[list[str]]:
    """The SQL that is executed."""
    seen: list[str] = []

    def note(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        seen.append(sql)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        yield seen


def test_the_work_for_a_game_grows_neither_with_the_history_nor_with_the_players(
    season: Season, statements: list[str]
) -> None:
    def statements_of_one_more(seed: int) -> int:
        bring(season, bluff_record(seed))
        statements.clear()
        ranking_count(ranking_id=season.ranking_id)
        return len(statements)

    statements_of_one_more(1)
    early = statements_of_one_more(2)
    bring(
        season,
        *[bluff_record(seed, seats=[f"p{seed}", f"q{seed}", f"r{seed}"]) for seed in range(3, 21)],
    )
    count(season)
    assert statements_of_one_more(21) == early <= 20


def test_a_game_that_fails_is_set_aside_with_its_reason_and_the_others_count(
    season: Season,
) -> None:
    bring(season, bluff_record(1), bluff_record(2), bluff_record(3))
    whole = outcome.game_outcome

    def fails(game: Any, scoring: Any) -> Any:
        if game.external_id == "game-2":
            raise Unreadable("these bytes are no round")
        return whole(game, scoring)

    with patch.object(counting, "game_outcome", fails):
        count(season)
    assert set(RankedGame.objects.values_list("game__external_id", flat=True)) == {
        "game-1",
        "game-3",
    }
    aside = SetAside.objects.get()
    assert "these bytes are no round" in aside.error
    count(season)
    assert SetAside.objects.exists(), "it waits until it is due"
    SetAside.objects.update(due_at=Now())
    count(season)
    assert not SetAside.objects.exists()
    counted = derived(season.ranking)
    rebuild_all(season)
    assert derived(season.ranking) == counted


def test_the_sweep_calls_for_what_waits_and_for_nothing_else(season: Season) -> None:
    quiet = SeasonFactory.create()
    bring(season, bluff_record(1))
    with patch("league.standings.ranking.tasks.call") as call:
        sweep_rankings()
        jobs = ["standings.ranking.tasks.count_backlog", "standings.ranking.tasks.read_styles"]
        assert [args.args for args in call.call_args_list] == [
            (job, season.ranking_id) for job in jobs
        ]
        count(season)
        styles_read(ranking_id=season.ranking_id)
        call.reset_mock()
        sweep_rankings()
        call.assert_not_called()
    assert quiet.ranking.version == 0


def test_a_busy_ranking_is_not_waited_for(season: Season, transactional_db: None) -> None:
    bring(season, bluff_record(1))
    held = connection.copy()
    try:
        with held.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_lock(%s, %s)", [Space.RANKING, season.ranking_id])
            with pytest.raises(Busy):
                ranking_count(ranking_id=season.ranking_id)
            cursor.execute("SELECT pg_advisory_unlock(%s, %s)", [Space.RANKING, season.ranking_id])
    finally:
        held.close()
    count(season)
    assert Reader.objects.filter(name=f"count/{season.ranking.public_id}").exists()


def test_two_who_want_the_same_thing_alone_dont_get_it_both(transactional_db: None) -> None:
    with session_lock(Space.IMPORT, 7), session_lock(Space.IMPORT, 8):
        pass
    other = connection.copy()
    try:
        with other.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_lock(%s, %s)", [Space.IMPORT, 7])
        with pytest.raises(Busy), session_lock(Space.IMPORT, 7):
            pass
        with pytest.raises(Busy), session_lock(Space.IMPORT, 7, wait="100ms"):
            pass
    finally:
        other.close()
