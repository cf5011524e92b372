"""The ranks after each day of play that are stored: when they are, and that they are those of the tables then."""

from __future__ import annotations

import random
from datetime import date
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.models import Game
from league.models import DayRank, Player, Season
from league.rankings.queries.days import rank_days
from league.rankings.queries.standing import table_rows
from league.rankings.services import days
from league.rankings.services.counting import ranking_count
from league.rankings.tasks import sweep_rankings
from league.rulings.services.correction import game_correct
from tests.factories.counted import PLAYERS, add_games, bring, count, rebuild_all
from tests.factories.derived import derived
from tests.factories.league import SeasonFactory
from tests.factories.records import bluff_record, line

pytestmark = pytest.mark.django_db

NIGHTS = 5


def night(number: int) -> list[dict[str, Any]]:
    """Three games of one night between changing players, never all of them."""
    dice = random.Random(number)
    day = f"2026-09-{number + 1:02}"
    return [
        bluff_record(10 * number + table, seats=dice.sample(PLAYERS, 4), played_at=f"{day}T2{table}:00:00+02:00")
        for table in range(3)
    ]


@pytest.fixture
def season(db: None) -> Season:
    return SeasonFactory.create(rules={})


def tables(nights: int = NIGHTS, *more: dict[str, Any]) -> dict[tuple[str, date], int]:
    """The ranks of the tables that are made of the first night, of the first two, and so on, with these games besides;
    by handle and day."""
    ranks: dict[tuple[str, date], int] = {}
    for last in range(nights):
        season = SeasonFactory.create(rules={})
        add_games(season, [*more, *(record for number in range(last + 1) for record in night(number))])
        ranks |= {(row.handle, date(2026, 9, last + 1)): row.rank for row in table_rows(season.ranking)}
    return ranks


def shown(season: Season) -> dict[tuple[str, date | None], int]:
    """The ranks that the pages of all players show, by handle and day."""
    season.ranking.refresh_from_db()
    players = Player.objects.filter(club=season.club)
    return {(player.handle, day.day): day.rank for player in players for day in rank_days(season.ranking, player)}


@pytest.mark.parametrize("portion", [1, 10_000])
def test_games_that_come_late_change_the_days_from_theirs_on(
    season: Season, portion: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(days, "PORTION", portion)
    untimed = bluff_record(99, seats=["ben", "visitor"])
    del untimed["played_at"]
    records = [untimed, *(record for number in range(NIGHTS) for record in night(number))]
    random.Random(1).shuffle(records)
    for record in records:
        add_games(season, [record])
    assert shown(season) == tables(NIGHTS, untimed)
    stored = derived(season.ranking)
    rebuild_all(season)
    assert derived(season.ranking) == stored


def test_a_corrected_game_changes_the_days_from_its_own_on(season: Season) -> None:
    add_games(season, [record for number in range(NIGHTS) for record in night(number)])
    before = dict(DayRank.objects.values_list("pk", "points"))
    wrong = night(2)[1]
    right = bluff_record(77, id=wrong["id"], seats=["visitor", *wrong["seats"][1:]], played_at=wrong["played_at"])
    game_correct(game=Game.objects.get(external_id=wrong["id"]), line=line(right), reason="Somebody else sat there.")
    count(season)
    changed = {key[2] for key, points in DayRank.objects.values_list("pk", "points") if before.get(key) != points}
    assert changed == {date(2026, 9, 3), date(2026, 9, 4)}
    stored = derived(season.ranking)
    rebuild_all(season)
    assert derived(season.ranking) == stored


def test_if_the_last_day_goes_the_one_before_is_the_last_again(season: Season) -> None:
    add_games(season, [*night(0), *night(1), bluff_record(70, played_at="2026-09-20T20:00:00+02:00")])
    moved = bluff_record(70, played_at="2026-09-02T23:00:00+02:00")
    game_correct(game=Game.objects.get(external_id="game-70"), line=line(moved), reason="It was on the second night.")
    count(season)
    assert {day for _, day in shown(season)} == {date(2026, 9, 1), date(2026, 9, 2)}
    assert set(DayRank.objects.values_list("day", flat=True)) == {date(2026, 9, 1)}


def written() -> set[tuple[str, str]]:
    """Each stored row with the transaction that wrote it."""
    rows = DayRank.objects.extra(select={"place": "ctid::text", "written": "xmin::text"})
    return set(rows.values_list("place", "written"))


def test_a_game_of_the_last_day_stores_nothing_whatever_the_number_of_players(season: Season) -> None:
    add_games(season, [*night(0), *night(1)])
    before = written()
    bring(season, night(1)[0] | {"id": "one-more"})
    with CaptureQueriesContext(
        connection,
    ) as queries:
        ranking_count(ranking_id=season.ranking_id)
    assert not [query for query in queries if "dayrank" in query["sql"]]
    assert written() == before


def test_a_rebuild_of_what_is_right_writes_no_row(season: Season) -> None:
    season.ranking.rated = False
    season.ranking.save(update_fields=["rated"])
    add_games(season, [*night(0), *night(1), *night(2)])
    before = written()
    rebuild_all(season)
    assert written() == before


def test_a_page_reads_the_stored_days_of_one_player_and_nobodys_games(season: Season) -> None:
    add_games(season, [record for number in range(NIGHTS) for record in night(number)])
    anna = Player.objects.get(handle="anna")
    with CaptureQueriesContext(connection) as queries:
        shown = rank_days(season.ranking, anna)
    assert len(queries) == 1
    assert "appearance" not in queries[0]["sql"]
    DayRank.objects.exclude(player=anna).delete()
    assert rank_days(season.ranking, anna) == shown


def test_the_sweep_finds_days_that_were_left(season: Season, monkeypatch: pytest.MonkeyPatch) -> None:
    add_games(season, [*night(0), *night(1)])
    stored = derived(season.ranking)
    DayRank.objects.all().delete()
    season.ranking.days_from = days.EVER
    season.ranking.save(update_fields=["days_from"])
    called: list[int] = []
    monkeypatch.setattr("league.rankings.tasks.count_ranking.delay", called.append)
    sweep_rankings()
    assert called == [season.ranking_id]
    ranking_count(ranking_id=season.ranking_id)
    assert derived(season.ranking) == stored
