"""A player in figures."""

from datetime import date

import pytest

from league.models import Appearance, Player, Season, Standing
from league.standings.player.queries.player import averages_of, seasons_of
from league.standings.player.queries.rivals import history_of, rivals_of
from league.standings.standing.queries.standing import table_rows
from tests.factories.counted import counted_season
from tests.factories.records import bluff_record


@pytest.mark.django_db
def test_rivals_add_up_seen_from_both_sides() -> None:
    season = counted_season(9)
    anna, ben = Player.objects.get(handle="anna"), Player.objects.get(handle="ben")
    of_anna = next(
        rival for rival in rivals_of(anna, [season.ranking_id]) if rival.player == ben.public_id
    )
    of_ben = next(
        rival for rival in rivals_of(ben, [season.ranking_id]) if rival.player == anna.public_id
    )
    assert of_anna.games == of_ben.games == of_anna.ahead + of_anna.behind + of_anna.level
    assert (of_anna.ahead, of_anna.behind, of_anna.level) == (
        of_ben.behind,
        of_ben.ahead,
        of_ben.level,
    )
    met = [game for game in range(9) if game % 3 in (0, 1)]
    assert of_anna.games == len(met)


@pytest.mark.django_db
def test_who_wins_a_game_is_ahead_of_everybody_in_it() -> None:
    season = counted_season([bluff_record(0, seats=["anna", "ben", "cleo", "dario"])])
    winner = Player.objects.get(public_id=table_rows(season.ranking)[0].player)
    rivals = rivals_of(winner, [season.ranking_id])
    assert [(rival.games, rival.ahead, rival.behind) for rival in rivals] == [(1, 1, 0)] * 3
    assert not rivals_of(winner, [])


@pytest.mark.django_db
def test_averages_are_those_of_the_table() -> None:
    season = counted_season(9)
    row = Standing.objects.get(ranking=season.ranking_id, player__handle="anna")
    averages = averages_of(row.player, season.ranking_id)
    assert averages.points == pytest.approx(row.points / row.games)
    assert averages.rank == pytest.approx(row.rank_sum / row.games)
    assert averages.points_half is not None
    assert averages.points_half > 0


@pytest.mark.django_db
def test_the_history_ends_at_the_rating_and_goes_event_by_event() -> None:
    season = counted_season(11)
    anna = Player.objects.select_related("club").get(handle="anna")
    history, days = history_of(anna, season.ranking_id, 100)
    (row,) = seasons_of(anna, Season.objects.all())
    assert [day.event for day in history] == ["night-1", "night-2", "night-3"]
    assert (
        sum(day.games for day in history)
        == row.games
        == Appearance.objects.filter(player=anna).count()
    )
    assert (history[-1].mu, history[-1].sigma) == (row.mu, row.sigma)
    assert days == 3
    assert history_of(anna, season.ranking_id, 2) == (history[1:], 3), "the last ones"


@pytest.mark.django_db
def test_days_of_the_history_are_those_of_the_clubs_zone() -> None:
    season = counted_season([bluff_record(0, played_at="2026-09-03T23:30:00+00:00"), _untimed(1)])
    anna = Player.objects.select_related("club").get(handle="anna")
    history, _ = history_of(anna, season.ranking_id, 100)
    assert [played.day for played in history] == [date(2026, 9, 4), None]


def _untimed(seed: int) -> dict[str, object]:
    record = bluff_record(seed)
    del record["played_at"]
    return record
