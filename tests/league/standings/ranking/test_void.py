"""Voided games leave a ranking, and restored ones come back: counted on, it is what a rebuild makes
it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some
from hypothesis.extra.django import TestCase

from engine.record.record import read
from games.models import Game
from games.queries.game import game_export
from league.core.log.services import Actor
from league.disputes.correction.services import game_correct
from league.models import RankedGame, Season
from league.stages.result.services.void import game_restore, game_void_add
from league.standings.ranking.services.counting import ranking_count
from league.standings.ranking.services.rebuild import ranking_rebuild, ranking_rebuild_ask
from tests.factories.counted import bring, count, games_by_player, rebuild_all, season_of_games
from tests.factories.derived import derived, ranking_differences
from tests.factories.league import SeasonFactory
from tests.factories.records import bluff_record, line

WHY = Actor(reason="It was a practice game.")
GAMES = 7


def void(season: Season, game: str) -> None:
    game_void_add(game=newest(season, game), actor=WHY)


def restore(season: Season, game: str) -> None:
    game_restore(game=newest(season, game), actor=WHY)


def newest(season: Season, game: str) -> Game:
    return Game.objects.filter(season_game__season=season, external_id=game).latest("revision")


def entered(*seeds: int) -> Season:
    season: Season = SeasonFactory.create(rules={})
    bring(season, *[bluff_record(seed) for seed in seeds])
    count(season)
    return season


def counting(season: Season) -> dict[str, list[dict[str, Any]]]:
    """What counts of a season: all rows but those of voided games."""
    rows = derived(season.ranking)
    names = {name.external_id for name in Game.objects.filter(voids__stands=True)}
    return {
        **rows,
        "games": [row for row in rows["games"] if not row["voided"]],
        "Appearance": [row for row in rows["Appearance"] if row["game__external_id"] not in names],
    }


@pytest.mark.django_db
@pytest.mark.parametrize("game", ["game-0", "game-2", "game-5"])
def test_a_voided_game_is_as_if_it_had_never_been_entered(game: str) -> None:
    season = entered(*range(6))
    void(season, game)
    count(season)
    other = entered(*[seed for seed in range(6) if f"game-{seed}" != game])
    assert counting(season) == counting(other)
    assert RankedGame.objects.get(ranking=season.ranking, game__external_id=game).voided, (
        "it stays in the lists"
    )
    assert list(ranking_differences(season.ranking_id)) == []


class Laws(TestCase):
    """Whatever is entered, voided, restored, corrected, counted and rebuilt in whatever order."""

    @settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(
        some.lists(
            some.tuples(
                some.sampled_from(["void", "restore", "correct", "count", "rebuild"]),
                some.integers(0, 6),
            ),
            max_size=10,
        )
    )
    def test_void_then_restore_is_nothing_and_counting_on_is_a_rebuild(
        self, steps: list[tuple[str, int]]
    ) -> None:
        season: Season = SeasonFactory.create(rules={})
        bring(season, *season_of_games(GAMES))
        contents = {f"game-{number}": 0 for number in range(GAMES)}
        voids: set[str] = set()
        for step, number in steps:
            game = f"game-{number}"
            if step == "void" and game not in voids:
                void(season, game)
                voids.add(game)
            elif step == "restore" and game in voids:
                restore(season, game)
                voids.remove(game)
            elif step == "correct" and game not in voids:
                contents[game] += 1
                self.correct(season, game, contents[game])
            elif step == "count":
                count(season)
            elif step == "rebuild":
                rebuild_all(season)
        count(season)
        stood = derived(season.ranking)
        assert list(ranking_differences(season.ranking_id)) == []
        rebuild_all(season)
        assert derived(season.ranking) == stood
        for game in sorted({f"game-{number}" for number in range(GAMES)} - voids):
            void(season, game)
        count(season)
        assert games_by_player() == {}
        for game in sorted({f"game-{number}" for number in range(GAMES)} - voids, reverse=True):
            restore(season, game)
        count(season)
        assert derived(season.ranking) == stood

    def correct(self, season: Season, game: str, times: int) -> None:
        record = bluff_record(100 * times + int(game[-1]), id=game)
        game_correct(game=newest(season, game), line=line(record), reason="Mixed up.")


@pytest.mark.django_db
def test_a_game_that_is_voided_before_it_was_counted_counts_for_nothing() -> None:
    season = entered()
    bring(season, bluff_record(1), bluff_record(2))
    void(season, "game-1")
    count(season)
    assert games_by_player() == {"anna": 1, "ben": 1, "cleo": 1}
    restore(season, "game-1")
    void(season, "game-2")
    restore(season, "game-2")
    count(season)
    assert games_by_player() == {"anna": 2, "ben": 2, "cleo": 2}
    assert list(ranking_differences(season.ranking_id)) == []


@pytest.mark.django_db
def test_a_void_in_the_middle_of_a_rebuild_is_counted_once() -> None:
    season = entered(*range(4))
    ranking_rebuild_ask(ranking=season.ranking, actor=Actor())
    void(season, "game-1")
    ranking_rebuild(ranking_id=season.ranking_id)
    ranking_rebuild_ask(ranking=season.ranking, actor=Actor())
    restore(season, "game-1")
    ranking_count(ranking_id=season.ranking_id)
    ranking_rebuild(ranking_id=season.ranking_id)
    count(season)
    assert list(ranking_differences(season.ranking_id)) == []
    assert games_by_player() == {"anna": 4, "ben": 4, "cleo": 4}


@pytest.mark.django_db
def test_the_record_of_a_voided_game_says_so_and_keeps_its_digests() -> None:
    season = entered(1)
    game = newest(season, "game-1")
    before = read(game_export(game))
    void(season, "game-1")
    mark = read(game_export(game))
    assert mark.voided.reason == WHY.reason  # type: ignore[union-attr]
    assert mark.digests == before.digests  # type: ignore[union-attr]
    restore(season, "game-1")
    assert read(game_export(game)) == before
