"""A player's rank after each day of play."""

import re
from datetime import date
from typing import Any

import pytest
from django.core.cache import caches
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries as Queries

from league.core.frame.rendering import RENDERINGS
from league.core.log.services import Actor
from league.models import Player, Season, Standing, TieBreak, Visibility
from league.standings.player.services import player_merge
from league.standings.standing.queries.days import RankDay, play_days, rank_days
from league.standings.standing.queries.standing import row_of, table_rows
from league.standings.standing.web import days as days_web
from tests.factories.counted import add_games, counted_season
from tests.factories.league import MembershipFactory, SeasonFactory
from tests.factories.records import bluff_record

pytestmark = pytest.mark.django_db

SEATS = (("anna", "ben", "cleo"), ("ben", "dario", "anna"), ("cleo", "dario", "elif"))


def nights(count: int) -> list[dict[str, Any]]:
    """Games of as many nights, three each, of changing players; the last table has no anna."""
    return [
        bluff_record(
            3 * night + table,
            seats=SEATS[table],
            played_at=f"2026-09-{night + 1:02}T2{table}:30:00+02:00",
        )
        for night in range(count)
        for table in range(3)
    ]


def days_of(season: Season, handle: str) -> list[RankDay]:
    player = Player.objects.get(club=season.club, handle=handle)
    return rank_days(season.ranking, player, play_days(season.ranking, player))[::-1]


def address(season: Season, handle: str = "anna") -> str:
    player = Player.objects.get(club=season.club, handle=handle)
    return reverse("rank-days", args=[season.club.slug, season.slug, player.public_id])


@pytest.mark.parametrize(
    "tie_breaks",
    [
        ["points", "wins", "best_game"],
        ["points_per_game", "games"],
        ["average_rank", "points"],
        ["wins", "points"],
    ],
)
def test_after_each_day_the_rank_is_the_one_that_the_table_had(tie_breaks: list[TieBreak]) -> None:
    season: Season = SeasonFactory.create(tie_breaks=tie_breaks)
    ranks: dict[str, list[int]] = {}
    records = nights(4)
    for night in range(4):
        add_games(season, records[3 * night : 3 * night + 3])
        for row in table_rows(season.ranking):
            ranks.setdefault(row.handle, []).append(row.rank)
    for handle, shown in ranks.items():
        assert [day.rank for day in days_of(season, handle)] == shown


def test_the_last_day_is_the_table_of_today() -> None:
    season = counted_season(9)
    for row in table_rows(season.ranking):
        last = days_of(season, row.handle)[-1]
        assert (last.rank, last.points) == (row.rank, row.points)
        assert last.players == Standing.objects.filter(ranking=season.ranking_id).count()
        assert last.climbed == row_of(season.ranking, row.player).climbed


def test_days_are_those_of_the_clubs_zone() -> None:
    late = bluff_record(8, seats=SEATS[0], played_at="2026-09-03T23:30:00+00:00")
    season = counted_season(
        [late, bluff_record(7, seats=SEATS[0], played_at="2026-09-03T19:00:00+02:00")]
    )
    assert [day.day for day in days_of(season, "anna")] == [date(2026, 9, 3), date(2026, 9, 4)]


def test_games_without_a_time_count_from_the_first_day_on() -> None:
    untimed = bluff_record(99, seats=["ben", "elif"])
    del untimed["played_at"]
    season = counted_season([untimed])
    assert [(day.day, day.players, day.games) for day in days_of(season, "elif")] == [(None, 2, 1)]
    add_games(season, nights(2))
    assert [(day.day, day.players) for day in days_of(season, "elif")] == [
        (date(2026, 9, 1), 5),
        (date(2026, 9, 2), 5),
    ]


def test_days_without_the_player_count_too() -> None:
    absent = bluff_record(8, seats=["cleo", "dario"], played_at="2026-10-01T20:00:00+02:00")
    season = counted_season([*nights(1), absent])
    first, second = days_of(season, "anna")
    assert (first.games, first.climbed, second.games) == (2, None, 0)
    assert [day.day for day in days_of(season, "elif")] == [first.day, second.day]


def test_the_page_shows_the_latest_day_first(client: Client) -> None:
    season = counted_season(nights(3))
    html = client.get(address(season)).content.decode()
    shown = re.findall(r'<th scope="row" class="main">\s*([^<]+?)\s*</th>', html)
    assert shown == ["3 Sep 2026", "2 Sep 2026", "1 Sep 2026"]


def rows_of(client: Client, season: Season, page: int) -> list[str]:
    html = client.get(f"{address(season)}?page={page}").content.decode()
    return re.findall(r"<tr>.*?</tr>", html.split("<tbody>")[1], re.DOTALL)


def test_long_histories_come_in_pages(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    season = counted_season(nights(5))
    whole = rows_of(client, season, 1)
    monkeypatch.setattr(days_web, "DAYS_PER_PAGE", 2)
    caches[RENDERINGS].clear()
    assert [rows_of(client, season, page) for page in (1, 2, 3)] == [
        whole[:2],
        whole[2:4],
        whole[4:],
    ]


@pytest.mark.parametrize("count", [1, 3])
def test_five_queries_whatever_the_number_of_days_and_one_if_unchanged(
    client: Client, count: int, django_assert_num_queries: Queries
) -> None:
    season = counted_season(nights(count))
    page = address(season)
    with django_assert_num_queries(5):  # ranking, player, days, ranks
        first = client.get(page)
    client.get(page)  # the second look learns what the page hangs on
    with django_assert_num_queries(1):
        assert client.get(page, headers={"if-none-match": first["ETag"]}).status_code == 304


def test_only_who_may_see_the_season_sees_its_days(client: Client) -> None:
    season = counted_season(nights(1), visibility=Visibility.MEMBERS)
    assert client.get(address(season)).status_code == 404
    client.force_login(MembershipFactory.create(club=season.club).user)
    assert client.get(address(season)).status_code == 200


def test_who_has_no_game_in_the_ranking_has_no_days(client: Client) -> None:
    season = counted_season(nights(1))
    other: Season = SeasonFactory.create(club=season.club)
    player = Player.objects.get(handle="anna").public_id
    assert (
        client.get(reverse("rank-days", args=[season.club.slug, other.slug, player])).status_code
        == 404
    )


def test_who_was_merged_has_the_days_of_the_one_into_whom(client: Client) -> None:
    season = counted_season(nights(1)[:2])
    cleo, dario = (Player.objects.get(handle=handle) for handle in ("cleo", "dario"))
    gone = address(season, "dario")
    player_merge(kept_player=cleo, merged=dario, actor=Actor())
    assert client.get(gone)["Location"] == address(season, "cleo")
