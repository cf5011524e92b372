"""What a row of the table is made of adds up to the row."""

import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.models.public_id import new_public_id
from league.core.log.services import Actor
from league.models import Appearance, Player, Ranking, RatingChange, Season, Standing, Visibility
from league.standings.player.services import player_merge
from league.standings.ranking.services.counting import ranking_count
from league.standings.ranking.services.rebuild import ranking_rebuild
from league.standings.season.services.season import all_time_create, season_change
from league.standings.standing.queries.standing import table_rows
from tests.factories.counted import counted_season, rename
from tests.factories.league import PlayerFactory

pytestmark = pytest.mark.django_db


def address(season: Season, player: str) -> str:
    return reverse("standing", args=[season.club.slug, season.slug, player])


def test_the_points_of_the_games_add_up_to_the_table(client: Client) -> None:
    season = counted_season(9)
    for row in table_rows(season.ranking):
        html = client.get(address(season, row.player)).content.decode()
        points = [int(text) for text in re.findall(r'class="n strong">\+(\d+)<', html)]
        assert len(points) == row.games
        assert sum(points) == row.points
        totals = re.findall(r'class="n strong">(\d+)</td>', html.split("<tfoot>")[1])
        assert totals == [str(row.points)] * 2


def test_every_game_leads_to_its_page_and_tells_the_rating(client: Client) -> None:
    season = counted_season(5)
    row = max(table_rows(season.ranking), key=lambda row: row.games)
    html = client.get(address(season, row.player)).content.decode()
    for seat in Appearance.objects.filter(player__public_id=row.player).select_related("game"):
        assert f'href="{reverse("game", args=[seat.game.public_id])}"' in html
        mu_before, _, mu, _ = RatingChange.objects.get(
            ranking=season.ranking, game=seat.game
        ).seats[seat.seat]
        assert f">{mu_before:.2f}</td>" in html
        assert f">{mu:.2f}<" in html


def test_wins_and_the_best_game_can_be_seen_alone(client: Client) -> None:
    season = counted_season(9)
    row = next(row for row in table_rows(season.ranking) if row.wins)
    wins = client.get(address(season, row.player) + "?only=wins").content.decode()
    assert wins.count("row-link") == row.wins
    best = client.get(address(season, row.player) + "?only=best").content.decode()
    points = re.findall(r'class="n strong">\+(\d+)<', best)
    assert set(points) == {str(row.best)}


@pytest.mark.parametrize("count", [1, 3])
def test_ten_queries_and_one_if_unchanged(
    client: Client,
    count: int,
    django_assert_num_queries: Callable[..., AbstractContextManager[Any]],
) -> None:
    season = counted_season(count)
    row = table_rows(season.ranking)[0]
    with django_assert_num_queries(10):
        first = client.get(address(season, row.player))
    client.get(address(season, row.player))  # the second look learns what the page hangs on
    with django_assert_num_queries(1):
        again = client.get(address(season, row.player), headers={"if-none-match": first["ETag"]})
    assert again.status_code == 304


def test_who_has_no_row_has_no_page(client: Client) -> None:
    season = counted_season(1)
    stranger = PlayerFactory.create(club=season.club)
    assert client.get(address(season, stranger.public_id)).status_code == 404
    assert client.get(address(season, new_public_id())).status_code == 404


def test_who_was_merged_has_the_page_of_the_one_into_whom(client: Client) -> None:
    season = counted_season(3)
    elif_, ben = (Player.objects.get(handle=handle) for handle in ("elif", "ben"))
    player_merge(kept_player=ben, merged=elif_, actor=Actor())
    assert client.get(address(season, elif_.public_id)).status_code == 200, (
        "the row stands until it is counted anew"
    )
    ranking_rebuild(ranking_id=season.ranking_id)
    assert client.get(address(season, elif_.public_id))["Location"] == address(
        season, ben.public_id
    )


def test_seasons_that_may_not_be_seen_have_no_page(client: Client) -> None:
    season = counted_season(1, visibility=Visibility.LINK)
    player = table_rows(season.ranking)[0].player
    assert client.get(address(season, player)).status_code == 404
    assert client.get(f"{address(season, player)}?key={season.link_token}").status_code == 200


def test_markup_in_names_is_escaped(client: Client) -> None:
    season = counted_season(1)
    anna = rename(season, "anna", "<b>Anna</b>")
    html = client.get(address(season, anna.public_id)).content.decode()
    assert "&lt;b&gt;Anna&lt;/b&gt;" in html
    assert "<b>Anna" not in html


def test_many_games_come_in_pages_and_the_total_goes_on(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("league.standings.standing.web.standing.GAMES_PER_PAGE", 2)
    season = counted_season(9)
    row = max(table_rows(season.ranking), key=lambda row: row.games)
    pages = [
        client.get(f"{address(season, row.player)}?page={page}").content.decode()
        for page in (1, 2, 3, 99)
    ]
    points = [
        [int(text) for text in re.findall(r'class="n strong">\+(\d+)<', page)] for page in pages
    ]
    totals = [
        [int(text) for text in re.findall(r'data-label="Total">(\d+)<', page)] for page in pages
    ]
    assert totals[1] == [sum(points[0]) + points[1][0], sum(points[0]) + sum(points[1])]
    assert totals[2][0] == totals[1][1] + points[2][0]
    assert totals[3] == totals[0], "a page that isn't there is the first"
    assert all(
        f'<td class="n strong">{row.points}</td>' in page.split("<tfoot>")[1] for page in pages
    )


def test_the_season_goes_along_to_the_players_page(client: Client) -> None:
    season = counted_season(3)
    row = table_rows(season.ranking)[0]
    html = client.get(address(season, row.player)).content.decode()
    player = reverse("player", args=[row.player])
    assert f'href="{player}?season={season.slug}"' in html
    assert f'href="{player}?season={season.slug}#rating"' in html


def test_the_rating_of_all_time_is_told_where_it_stands(client: Client) -> None:
    season = counted_season(3)
    ranking = all_time_create(club=season.club, actor=Actor()).ranking
    ranking_count(ranking_id=ranking.pk)
    row = table_rows(ranking)[0]
    html = client.get(
        reverse("standing", args=[season.club.slug, "all-time", row.player])
    ).content.decode()
    assert 'href="#rating"' in html
    assert "season=" not in html.split("</main>")[0].split("<main")[1]


@pytest.mark.parametrize("tie_breaks", [["wins"], ["points", "wins", "games"], ["games", "points"]])
def test_equal_players_have_their_page_right_after_the_tie_breaks_change(
    client: Client, tie_breaks: list[str]
) -> None:
    season = counted_season(6)
    season_change(season=season, actor=Actor(), tie_breaks=tie_breaks)
    Standing.objects.filter(ranking=season.ranking_id).update(key=[5, 5])
    page = f"/clubs/{season.club.slug}/{season.slug}/"
    assert client.get(page).status_code == 200
    assert (
        client.get(f"/api/v1/clubs/{season.club.slug}/seasons/{season.slug}/standings/").status_code
        == 200
    )
    Standing.objects.filter(ranking=season.ranking_id, player__handle="anna").update(key=[5, 5, 5])
    Ranking.objects.update(rebuilt_to=None)
    assert client.get(page).status_code == 200
