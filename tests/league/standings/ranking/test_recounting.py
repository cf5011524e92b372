"""A ranking whose games, settings or visibility change afterwards: counted on, it is what a rebuild
makes it."""

from __future__ import annotations

from datetime import date

import pytest

from games.models import Game
from league.core.log.services import Actor
from league.disputes.correction.services import game_correct
from league.models import Player, Rating, RatingChange, Season, Standing
from league.standings.ranking.services import rebuild
from league.standings.ranking.services.counting import ranking_count
from league.standings.ranking.services.rebuild import ranking_rebuild, ranking_rebuild_ask
from league.standings.ranking.tasks import rebuild_ranking
from league.standings.season.services.club import club_settings_change
from league.standings.season.services.season import all_time_create, season_change
from league.standings.standing.queries.days import play_days
from league.standings.style.services import styles_read
from tests.factories.counted import bring, count, games_by_player, rebuild_all, season_of_games
from tests.factories.derived import derived
from tests.factories.league import SeasonFactory
from tests.factories.records import bluff_record, line

pytestmark = pytest.mark.django_db


@pytest.fixture
def season(db: None) -> Season:
    return SeasonFactory.create(rules={})


def test_an_unrated_ranking_has_rows_and_no_ratings(db: None) -> None:
    season = SeasonFactory.create(rated=False)
    bring(season, bluff_record(1))
    count(season)
    rebuild_all(season)
    assert (Standing.objects.count(), Rating.objects.count()) == (3, 0)


def test_a_ranking_that_is_rated_later_has_the_ratings_that_it_would_have_had(
    season: Season,
) -> None:
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
    assert not RatingChange.objects.filter(ranking=late.ranking).exists()


def test_other_tie_breaks_sort_the_rows_anew(season: Season) -> None:
    other = SeasonFactory.create(tie_breaks=["average_rank", "games"])
    bring(season, *season_of_games(9))
    bring(other, *season_of_games(9))
    count(season)
    count(other)
    assert season_change(season=season, actor=Actor(), tie_breaks=["average_rank", "games"])
    rebuild_ranking(season.ranking_id)
    assert derived(season.ranking) == derived(other.ranking)


def test_in_another_time_zone_the_games_are_of_other_days(season: Season) -> None:
    bring(
        season, *[bluff_record(day, played_at=f"2026-09-0{day}T20:00:00+00:00") for day in (3, 5)]
    )
    count(season)
    anna = Player.objects.get(handle="anna")
    assert play_days(season.ranking, anna) == [date(2026, 9, 5), date(2026, 9, 3)]
    club_settings_change(club=season.club, actor=Actor(), name="The same zone")
    season.ranking.refresh_from_db()
    assert season.ranking.rebuilt_to is None
    club_settings_change(club=season.club, actor=Actor(), timezone="Asia/Tokyo")
    rebuild_ranking(season.ranking_id)
    season.ranking.refresh_from_db()
    assert season.ranking.last_day == date(2026, 9, 6)
    anna = Player.objects.get(handle="anna")
    assert play_days(season.ranking, anna) == [date(2026, 9, 6), date(2026, 9, 4)]


def corrected(season: Season, game: str, seed: int) -> None:
    """Correct a game into what another seed gives, at the same time of play."""
    wrong = Game.objects.get(season_game__season=season, external_id=game)
    right = bluff_record(
        seed, id=game, played_at=bluff_record(int(game.split("-")[1]))["played_at"]
    )
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


def test_a_correction_before_the_game_was_counted_counts_the_correction_alone(
    season: Season,
) -> None:
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


def test_the_clubs_ranking_counts_all_public_seasons_and_follows_their_visibility(
    season: Season,
) -> None:
    second = SeasonFactory.create(club=season.club)
    all_time = all_time_create(club=season.club, actor=Actor()).ranking
    bring(season, bluff_record(1))
    bring(second, bluff_record(2))
    ranking_count(ranking_id=all_time.pk)
    assert (
        dict(Standing.objects.filter(ranking=all_time).values_list("player__handle", "games"))[
            "anna"
        ]
        == 2
    )
    season_change(season=second, actor=Actor(), visibility="members")
    ranking_rebuild(ranking_id=all_time.pk)
    assert (
        dict(Standing.objects.filter(ranking=all_time).values_list("player__handle", "games"))[
            "anna"
        ]
        == 1
    )
    bring(second, bluff_record(3))
    ranking_count(ranking_id=all_time.pk)
    assert (
        dict(Standing.objects.filter(ranking=all_time).values_list("player__handle", "games"))[
            "anna"
        ]
        == 1
    )
    season_change(season=second, actor=Actor(), visibility="public")
    ranking_rebuild(ranking_id=all_time.pk)
    assert (
        dict(Standing.objects.filter(ranking=all_time).values_list("player__handle", "games"))[
            "anna"
        ]
        == 3
    )


def test_a_rebuild_that_was_killed_goes_on_where_it_was(
    season: Season, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rebuild, "GAMES", 2)
    bring(season, *season_of_games(7))
    count(season)
    counted = derived(season.ranking)
    Standing.objects.all().delete()
    ranking_rebuild_ask(ranking=season.ranking, actor=Actor())
    assert rebuild._rebuild_batch(season.ranking_id)
    season.ranking.refresh_from_db()
    assert season.ranking.rebuilt_to
    ranking_rebuild(ranking_id=season.ranking_id)
    styles_read(ranking_id=season.ranking_id)
    assert derived(season.ranking) == counted
