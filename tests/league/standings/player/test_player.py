"""A player in a ranking, as programs read it: how the rating came along, and the rivals."""

import pytest

from league.core.log.services import Actor
from league.core.player.models import Player
from league.models import Season
from league.standings.player.queries.player import seasons_of
from league.standings.player.queries.rivals import history_of, rivals_of
from league.standings.player.services import player_merge
from league.standings.ranking.services.counting import ranking_count
from league.standings.ranking.services.rebuild import ranking_rebuild
from league.standings.season.models import Visibility
from league.standings.season.services.season import all_time_create
from tests.factories.league import ClubFactory, SeasonFactory
from tests.league.core.frame.api.programs import code_of, get, play

SEASON = "/clubs/stern/seasons/autumn"


def test_the_ratings_of_a_player_come_day_by_day_the_latest_first(season: Season) -> None:
    for seed, day in enumerate(("2026-03-05", "2026-03-12", "2026-03-12")):
        play(season, seed, played_at=f"{day}T20:0{seed}:00+01:00")
    anna = Player.objects.get(handle="anna")
    days, _ = history_of(anna, season.ranking_id, 100)
    rows = get(f"{SEASON}/players/{anna.public_id}/ratings/").json()["results"]
    assert [(row["event"], row["day"], row["games"], row["mu"], row["sigma"]) for row in rows] == [
        (day.event, day.day and day.day.isoformat(), day.games, day.mu, day.sigma)
        for day in days[::-1]
    ]
    assert [row["day"] for row in rows] == ["2026-03-12", "2026-03-05"]
    (figures,) = seasons_of(anna, Season.objects.all())
    assert (rows[0]["mu"], sum(row["games"] for row in rows)) == (figures.mu, 3)
    page = get(f"{SEASON}/players/{anna.public_id}/ratings/?page_size=1").json()
    assert (page["results"], page["count"]) == (rows[:1], len(rows))


@pytest.mark.parametrize("ranking", ["seasons/autumn", "all-time"])
def test_a_row_of_the_table_leads_to_the_games_that_it_is_made_of(
    season: Season, ranking: str
) -> None:
    play(season, 1, 2, 3)
    ranking_count(ranking_id=all_time_create(club=season.club, actor=Actor()).ranking_id)
    table = get(f"/clubs/stern/{ranking}/standings/").json()["results"]
    assert len(table) == 3
    for row in table:
        player = f"/clubs/stern/{ranking}/players/{row['player']['id']}"
        assert get(f"{player}/standing/").json() == row
        games = get(f"{player}/points/").json()
        assert (games["count"], games["results"][-1]["total"]) == (row["games"], row["points"])
        assert sum(game["points"] for game in games["results"]) == row["points"]
        assert [game["rank"] for game in games["results"]].count(1) == row["wins"]
        second = get(f"{player}/points/?page_size=1&page=2").json()["results"]
        assert second == games["results"][1:2]
        seats = get(second[0]["game"].removeprefix("/api/v1")).json()["seats"]
        (seat,) = (seat for seat in seats if seat["player"] == second[0]["sat"])
        assert seat["rank"] == second[0]["rank"]


def test_the_ranks_of_a_player_come_day_by_day_the_latest_first(season: Season) -> None:
    for seed, day in enumerate(("2026-03-05", "2026-03-12", "2026-03-19"), start=1):
        play(season, seed, played_at=f"{day}T20:00:00+01:00")
    anna = Player.objects.get(handle="anna")
    address = f"{SEASON}/players/{anna.public_id}"
    rows = get(f"{address}/ranks/").json()["results"]
    assert [row["day"] for row in rows] == ["2026-03-19", "2026-03-12", "2026-03-05"]
    assert [row["rank_before"] for row in rows] == [rows[1]["rank"], rows[2]["rank"], None]
    row = get(f"{address}/standing/").json()
    assert (rows[0]["rank"], rows[0]["points"], rows[0]["players"]) == (
        row["rank"],
        row["points"],
        3,
    )
    assert [row["games"] for row in rows] == [1, 1, 1]
    page = get(f"{address}/ranks/?page_size=1&page=2").json()
    assert (page["results"], page["count"]) == (rows[1:2], 3)


def test_who_has_no_game_that_counts_has_no_row_no_points_and_no_ranks(season: Season) -> None:
    play(season, 1)
    anna = Player.objects.get(handle="anna")
    SeasonFactory.create(club=season.club, slug="spring")
    address = f"/clubs/stern/seasons/spring/players/{anna.public_id}"
    assert code_of(get(f"{address}/standing/")) == (404, "not_found")
    assert code_of(get(f"{address}/points/")) == (404, "not_found")
    assert get(f"{address}/ranks/").json()["results"] == []


def test_who_was_merged_into_another_player_has_that_ones_row_points_and_ranks(
    season: Season,
) -> None:
    play(season, 1)
    play(season, 2, seats=["annika", "ben", "cleo"], played_at="2026-03-19T20:00:00+01:00")
    anna, annika = (Player.objects.get(handle=handle) for handle in ("anna", "annika"))
    player_merge(kept_player=anna, merged=annika, actor=Actor())
    ranking_rebuild(ranking_id=season.ranking_id)
    for of in ("standing", "points", "ranks"):
        kept, merged = (
            get(f"{SEASON}/players/{player.public_id}/{of}/").json() for player in (anna, annika)
        )
        assert merged == kept
    assert get(f"{SEASON}/players/{annika.public_id}/points/").json()["count"] == 2
    assert (
        get(f"{SEASON}/players/{annika.public_id}/standing/").json()["player"]["id"]
        == anna.public_id
    )


def test_rivals_are_those_whom_a_player_met(season: Season) -> None:
    play(season, 1, 2)
    anna = Player.objects.get(handle="anna")
    rows = get(f"{SEASON}/players/{anna.public_id}/rivals/").json()["results"]
    assert {row["player"]["handle"] for row in rows} == {"ben", "cleo"}
    assert [(row["player"]["id"], row["games"], row["ahead"], row["behind"]) for row in rows] == [
        (rival.player, rival.games, rival.ahead, rival.behind)
        for rival in rivals_of(anna, [season.ranking_id])
    ]


def test_a_player_of_a_season_that_one_may_not_see_is_not_there(season: Season) -> None:
    play(season, 1)
    anna = Player.objects.get(handle="anna")
    play(SeasonFactory.create(club=ClubFactory.create(slug="mond")), 2)
    stranger = Player.objects.get(club__slug="mond", handle="anna")
    for of in ("standing", "points", "ranks", "ratings", "rivals"):
        assert code_of(get(f"{SEASON}/players/{stranger.public_id}/{of}/")) == (404, "not_found")
        Season.objects.update(visibility=Visibility.MEMBERS)
        assert code_of(get(f"{SEASON}/players/{anna.public_id}/{of}/")) == (404, "not_found")
        Season.objects.update(visibility=Visibility.PUBLIC)
