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

from games.models import Game
from league.imports.services.record import Outcome, record_import
from league.locks import Busy, Space, session_lock
from league.log.services import Actor
from league.models import Appearance, RankedGame, Rating, Reader, Season, SetAside, Standing
from league.rankings.services import counting, outcome, rating, rebuild
from league.rankings.services.counting import ranking_count
from league.rankings.services.outcome import Unreadable
from league.rankings.services.rebuild import ranking_rebuild, ranking_rebuild_ask
from league.rankings.services.season import all_time_create, season_change
from league.rankings.services.style import styles_read
from league.rankings.tasks import count_ranking, rebuild_ranking, sweep_rankings
from league.rulings.services import game_correct
from tests.factories.derived import derived
from tests.factories.league import SeasonFactory
from tests.factories.records import bluff_record, line

PLAYERS = ["anna", "ben", "cleo", "dario", "elif", "fritz", "greta"]
LEVELS = ["dice", "bids", "result"]

pytestmark = pytest.mark.django_db


def season_of_games(count: int) -> list[dict[str, Any]]:
    """Records of as many games between changing players, some at the same minute, one without a time."""
    dice = random.Random(7)
    records = [
        bluff_record(
            seed, seats=dice.sample(PLAYERS, dice.randint(2, 5)), level=dice.choice(["dice", "bids", "result"])
        )
        for seed in range(count)
    ]
    records[3]["played_at"] = records[4]["played_at"]
    del records[5]["played_at"]
    return records


def bring(season: Season, *records: dict[str, Any]) -> None:
    """Import records as everybody does; nobody counts them yet."""
    for record in records:
        imported = record_import(season=season, line=line(record))
        assert imported.outcome == Outcome.CREATED, imported.error


def count(season: Season) -> None:
    ranking_count(ranking_id=season.ranking_id)
    styles_read(ranking_id=season.ranking_id)


def rebuild_all(season: Season) -> None:
    ranking_rebuild_ask(ranking=season.ranking, actor=Actor())
    ranking_rebuild(ranking_id=season.ranking_id)
    styles_read(ranking_id=season.ranking_id)


def games_by_player() -> dict[str, int]:
    return dict(Standing.objects.values_list("player__handle", "games"))


@pytest.fixture
def season(db: None) -> Season:
    return SeasonFactory.create(rules={})


@pytest.fixture
def small_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "PORTION", 3)
    monkeypatch.setattr(rating, "PORTION", 2)
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
    rows = Standing.objects.extra(select={"written": "league_standing.xmin::text || league_standing.cmin::text"})
    return dict(rows.values_list("player__handle", "written"))


def test_only_rows_of_those_who_played_are_written(season: Season) -> None:
    bring(season, *season_of_games(10))
    count(season)
    before = written()
    bring(season, bluff_record(99, seats=["newcomer", "other"]))
    count(season)
    after = written()
    assert {handle for handle in after if after[handle] != before.get(handle)} == {"newcomer", "other"}


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
    bring(season, *[bluff_record(seed, seats=[f"p{seed}", f"q{seed}", f"r{seed}"]) for seed in range(3, 20)])
    count(season)
    assert statements_of_one_more(20) == early <= 20


def test_a_game_that_fails_is_set_aside_with_its_reason_and_the_others_count(season: Season) -> None:
    bring(season, bluff_record(1), bluff_record(2), bluff_record(3))
    whole = outcome.brought_home

    def fails(game: Any, scoring: Any) -> Any:
        if game.external_id == "game-2":
            raise Unreadable("these bytes are no round")
        return whole(game, scoring)

    with patch.object(counting, "brought_home", fails):
        count(season)
    assert set(RankedGame.objects.values_list("game__external_id", flat=True)) == {"game-1", "game-3"}
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
    with patch("league.rankings.tasks.count_ranking.delay") as call, patch("league.rankings.tasks.read_styles.delay"):
        sweep_rankings()
        assert [args.args for args in call.call_args_list] == [(season.ranking_id,)]
        count(season)
        call.reset_mock()
        sweep_rankings()
        call.assert_not_called()
    assert quiet.ranking.version == 0


def test_an_unrated_ranking_has_rows_and_no_ratings(db: None) -> None:
    season = SeasonFactory.create(rated=False)
    bring(season, bluff_record(1))
    count(season)
    rebuild_all(season)
    assert (Standing.objects.count(), Rating.objects.count()) == (3, 0)


def test_a_ranking_that_is_rated_later_has_the_ratings_that_it_would_have_had(season: Season) -> None:
    late = SeasonFactory.create(rated=False)
    bring(season, *season_of_games(9))
    bring(late, *season_of_games(9))
    count(season)
    count(late)
    assert season_change(season=late, actor=Actor(), rated=True)
    rebuild_ranking(late.ranking_id)
    assert derived(late.ranking) == derived(season.ranking)
    assert season_change(season=late, actor=Actor(), rated=False)
    rebuild_ranking(late.ranking_id)
    assert not Rating.objects.filter(ranking=late.ranking).exists()
    assert not Appearance.objects.filter(ranking=late.ranking, mu__isnull=False).exists()


def test_other_tie_breaks_sort_the_rows_anew(season: Season) -> None:
    other = SeasonFactory.create(tie_breaks=["average_rank", "games"])
    bring(season, *season_of_games(9))
    bring(other, *season_of_games(9))
    count(season)
    count(other)
    assert season_change(season=season, actor=Actor(), tie_breaks=["average_rank", "games"])
    rebuild_ranking(season.ranking_id)
    assert derived(season.ranking) == derived(other.ranking)


def corrected(season: Season, game: str, seed: int) -> None:
    """Correct a game into what another seed gives, at the same time of play."""
    wrong = Game.objects.get(season_game__season=season, external_id=game)
    right = bluff_record(seed, id=game, played_at=bluff_record(int(game.split("-")[1]))["played_at"])
    game_correct(game=wrong, line=line(right), reason="The scorer had mixed up two seats.")


@pytest.mark.parametrize("game", ["game-0", "game-2", "game-5"])
def test_a_correction_is_as_if_the_game_had_been_entered_right(season: Season, game: str) -> None:
    for seed in range(6):
        bring(season, bluff_record(seed))
        count(season)
    corrected(season, game, 50)
    count(season)
    after = derived(season.ranking)
    rebuild_all(season)
    assert derived(season.ranking) == after
    other = SeasonFactory.create()
    bring(other, *[bluff_record(seed) for seed in range(6) if f"game-{seed}" != game])
    bring(other, bluff_record(50, id=game, played_at=bluff_record(int(game[-1]))["played_at"]))
    count(other)
    assert derived(other.ranking) == after


def test_a_correction_before_the_game_was_counted_counts_the_correction_alone(season: Season) -> None:
    bring(season, bluff_record(1), bluff_record(2))
    corrected(season, "game-1", 9)
    count(season)
    assert games_by_player() == {"anna": 2, "ben": 2, "cleo": 2}
    counted = derived(season.ranking)
    rebuild_all(season)
    assert derived(season.ranking) == counted


def test_who_sat_only_in_a_game_that_was_corrected_has_no_row_any_more(season: Season) -> None:
    bring(season, bluff_record(1), bluff_record(2, seats=["anna", "ghost"]))
    count(season)
    corrected(season, "game-2", 9)
    count(season)
    assert games_by_player() == {"anna": 2, "ben": 2, "cleo": 2}
    assert not Rating.objects.filter(player__handle="ghost").exists()


def test_the_clubs_ranking_counts_all_public_seasons_and_follows_their_visibility(season: Season) -> None:
    second = SeasonFactory.create(club=season.club)
    all_time = all_time_create(club=season.club, actor=Actor()).ranking
    bring(season, bluff_record(1))
    bring(second, bluff_record(2))
    ranking_count(ranking_id=all_time.pk)
    assert dict(Standing.objects.filter(ranking=all_time).values_list("player__handle", "games"))["anna"] == 2
    season_change(season=second, actor=Actor(), visibility="members")
    ranking_rebuild(ranking_id=all_time.pk)
    assert dict(Standing.objects.filter(ranking=all_time).values_list("player__handle", "games"))["anna"] == 1
    bring(second, bluff_record(3))
    ranking_count(ranking_id=all_time.pk)
    assert dict(Standing.objects.filter(ranking=all_time).values_list("player__handle", "games"))["anna"] == 1
    season_change(season=second, actor=Actor(), visibility="public")
    ranking_rebuild(ranking_id=all_time.pk)
    assert dict(Standing.objects.filter(ranking=all_time).values_list("player__handle", "games"))["anna"] == 3


def test_a_rebuild_that_was_killed_goes_on_where_it_was(season: Season, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rebuild, "GAMES", 2)
    bring(season, *season_of_games(7))
    count(season)
    counted = derived(season.ranking)
    Standing.objects.all().delete()
    ranking_rebuild_ask(ranking=season.ranking, actor=Actor())
    assert rebuild._portion(season.ranking_id)
    season.ranking.refresh_from_db()
    assert season.ranking.rebuilt_to
    ranking_rebuild(ranking_id=season.ranking_id)
    styles_read(ranking_id=season.ranking_id)
    assert derived(season.ranking) == counted


def test_a_busy_ranking_is_not_waited_for(season: Season, transactional_db: None) -> None:
    bring(season, bluff_record(1))
    held = connection.copy()
    try:
        with held.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_lock(%s, %s)", [Space.RANKING, season.ranking_id])
        with pytest.raises(Busy):
            ranking_count(ranking_id=season.ranking_id)
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
