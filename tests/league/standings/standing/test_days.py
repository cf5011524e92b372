"""The ranks after each day of play are those of the tables then, and no result stores any."""

from __future__ import annotations

import random
from datetime import date
from typing import Any

import pytest
from django.db import connection

from engine.scoring.standings import Criterion, sort_key
from engine.scoring.tally import Tally
from games.models import Game
from league.disputes.correction.services import game_correct
from league.models import Appearance, Player, RankedGame, Season, Standing
from league.standings.standing.queries.days import KEYS, RankDay, play_days, rank_days
from league.standings.standing.queries.standing import table_rows
from tests.factories.counted import PLAYERS, add_games, count
from tests.factories.league import SeasonFactory
from tests.factories.records import bluff_record, line

pytestmark = pytest.mark.django_db

NIGHTS = 5


def night(number: int) -> list[dict[str, Any]]:
    """Three games of one night between changing players, never all of them."""
    dice = random.Random(number)
    day = f"2026-09-{number + 1:02}"
    return [
        bluff_record(
            10 * number + table,
            seats=dice.sample(PLAYERS, 4),
            played_at=f"{day}T2{table}:00:00+02:00",
        )
        for table in range(3)
    ]


@pytest.fixture
def season(db: None) -> Season:
    return SeasonFactory.create(rules={})


def tables(nights: int = NIGHTS, *more: dict[str, Any]) -> dict[tuple[str, date], int]:
    """The ranks of the tables that are made of the first night, of the first two, and so on, with
    these games besides; by handle and day."""
    ranks: dict[tuple[str, date], int] = {}
    for last in range(nights):
        season = SeasonFactory.create(rules={})
        add_games(
            season, [*more, *(record for number in range(last + 1) for record in night(number))]
        )
        ranks |= {
            (row.handle, date(2026, 9, last + 1)): row.rank for row in table_rows(season.ranking)
        }
    return ranks


def days_of(season: Season, player: Player) -> list[RankDay]:
    return rank_days(season.ranking, player, play_days(season.ranking, player))


def shown(season: Season) -> dict[tuple[str, date | None], RankDay]:
    """What the pages of all players show, by handle and day."""
    players = Player.objects.filter(club=season.club)
    return {(player.handle, day.day): day for player in players for day in days_of(season, player)}


def ranks(season: Season) -> dict[tuple[str, date | None], int]:
    return {key: day.rank for key, day in shown(season).items()}


def test_games_that_come_late_change_the_days_from_theirs_on(season: Season) -> None:
    untimed = bluff_record(99, seats=["ben", "visitor"])
    del untimed["played_at"]
    records = [untimed, *(record for number in range(NIGHTS) for record in night(number))]
    random.Random(1).shuffle(records)
    for record in records:
        add_games(season, [record])
    assert ranks(season) == tables(NIGHTS, untimed)


def test_a_corrected_game_changes_the_days_from_its_own_on(season: Season) -> None:
    add_games(season, [record for number in range(NIGHTS) for record in night(number)])
    before = shown(season)
    wrong = night(2)[1]
    right = bluff_record(
        77, id=wrong["id"], seats=["visitor", *wrong["seats"][1:]], played_at=wrong["played_at"]
    )
    game_correct(
        game=Game.objects.get(external_id=wrong["id"]),
        line=line(right),
        reason="Somebody else sat there.",
    )
    count(season)
    changed = {key[1] for key, day in shown(season).items() if before.get(key) != day}
    assert changed == {date(2026, 9, 3), date(2026, 9, 4), date(2026, 9, 5)}


def test_if_the_last_day_goes_the_one_before_is_the_last_again(season: Season) -> None:
    add_games(
        season, [*night(0), *night(1), bluff_record(70, played_at="2026-09-20T20:00:00+02:00")]
    )
    moved = bluff_record(70, played_at="2026-09-02T23:00:00+02:00")
    game_correct(
        game=Game.objects.get(external_id="game-70"),
        line=line(moved),
        reason="It was on the second night.",
    )
    count(season)
    assert {day for _, day in shown(season)} == {date(2026, 9, 1), date(2026, 9, 2)}


def test_some_days_are_as_among_all(season: Season) -> None:
    add_games(season, [record for number in range(NIGHTS) for record in night(number)])
    anna = Player.objects.get(handle="anna")
    days, whole = play_days(season.ranking, anna), days_of(season, anna)
    for start in range(len(days) - 2):
        assert (
            rank_days(season.ranking, anna, days[start : start + 3])[:2] == whole[start : start + 2]
        )


def written() -> set[tuple[str, str]]:
    """Each row of games and standings with the transaction that wrote it."""
    return {
        (f"{model.__name__} {place}", transaction)
        for model in (RankedGame, Appearance, Standing)
        for place, transaction in model.objects.extra(
            select={"place": "ctid::text", "written": "xmin::text"}
        ).values_list("place", "written")
    }


@pytest.mark.parametrize("day", ["2026-09-01", "2026-09-02", "2026-09-02T21:00:00", "2026-09-03"])
def test_a_result_writes_the_rows_of_its_four_players_whatever_the_day(db: None, day: str) -> None:
    season = SeasonFactory.create(rules={}, rated=False)
    add_games(season, [*night(0), *night(1)])
    before = written()
    at = day if "T" in day else f"{day}T23:00:00"
    add_games(season, [bluff_record(90, seats=PLAYERS[:4], played_at=f"{at}+02:00")])
    assert len(written() - before) == 1 + 4 + 4


@pytest.mark.parametrize("criterion", Criterion)
def test_the_database_compares_what_the_engine_does(criterion: Criterion) -> None:
    dice = random.Random(criterion)
    tallies = []
    for most in (3, 100, 2**20):
        for _ in range(50):
            games = dice.randint(1, most)
            points, rank_sum = dice.randint(0, games * 32_767), dice.randint(games, 9 * games)
            tallies.append(
                Tally(games, dice.randint(0, games), points, rank_sum, dice.randint(0, points))
            )
    with connection.cursor() as cursor:
        for tally in tallies:
            cursor.execute(
                f"SELECT ({KEYS[criterion]})::bigint FROM (VALUES (%s::bigint, %s, %s, %s, %s))"
                " total (games, wins, points, rank_sum, best)",
                [tally.games, tally.wins, tally.points, tally.rank_sum, tally.best],
            )
            assert cursor.fetchone() == sort_key(tally, [criterion])
