"""The club's ranking over all its public seasons has the pages that a season has."""

import csv
from io import StringIO

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries as Queries

from games.models.game import Kind
from league.core.log.services import Actor
from league.models import Club, Scoring, Season, Visibility
from league.standings.ranking.services.counting import ranking_count
from league.standings.season.services.season import all_time_create, season_change
from league.standings.standing.queries.standing import table_rows
from tests.factories.counted import counted_season
from tests.factories.league import ClubFactory, SeasonFactory
from tests.factories.records import kniffel_record

pytestmark = pytest.mark.django_db

PAGES = ["season", "season-table", "season-games", "season-heads"]


@pytest.fixture
def club() -> Club:
    """A club with a season of each game, one that only members see, and the ranking over all."""
    club = ClubFactory.create()
    counted_season(3, club=club, name="Autumn")
    counted_season(
        [kniffel_record(1)],
        club=club,
        name="Winter",
        kind=Kind.LUEGEN_KNIFFEL,
        scoring=Scoring.TOTALS,
    )
    counted_season(2, club=club, name="Inside", visibility=Visibility.MEMBERS)
    ranking_count(ranking_id=all_time_create(club=club, actor=Actor()).ranking_id)
    return club


def address(club: Club, page: str = "season", *more: str) -> str:
    return reverse(page, args=[club.slug, "all-time", *more])


def shown(client: Client, club: Club, page: str = "season") -> str:
    return client.get(address(club, page)).getvalue().decode()


def test_it_counts_the_games_of_all_public_seasons(client: Client, club: Club) -> None:
    rows = {row.name: row for row in table_rows(club.all_time.ranking)}
    assert {name: row.games for name, row in rows.items()} == {
        "anna": 4,
        "ben": 3,
        "cleo": 3,
        "dario": 2,
        "elif": 1,
    }
    html = shown(client, club)
    assert all(f">{name}<" in html for name in rows)
    table = {
        row["handle"]: row for row in csv.DictReader(StringIO(shown(client, club, "season-table")))
    }
    assert table["anna"]["points"] == str(rows["anna"].points)
    assert len(shown(client, club, "season-heads").splitlines()) == 4
    assert shown(client, club, "season-games").count('row-link seats"') == 4


def test_it_has_neither_dates_nor_rules_and_says_how_it_counts(client: Client, club: Club) -> None:
    html = shown(client, club)
    assert "<h1>All-time ranking</h1>" in html
    assert "All games of the club’s public seasons" in html
    assert "2026" not in html.split('id="live"')[0]
    assert "Bluff" not in html.split('id="live"')[0]
    assert "one point for each player you finish ahead of, whatever was played" in html


def test_a_row_is_made_of_the_games_of_all_seasons(client: Client, club: Club) -> None:
    row = table_rows(club.all_time.ranking)[0]
    html = client.get(address(club, "standing", row.player)).content.decode()
    assert html.count("row-link") == row.games
    assert f'<a href="{address(club)}">All-time ranking</a>' in html


def test_its_games_lead_to_their_pages_and_can_be_filtered(client: Client, club: Club) -> None:
    row = next(row for row in table_rows(club.all_time.ranking) if row.name == "elif")
    html = client.get(f"{address(club, 'season-games')}?player={row.player}").content.decode()
    assert html.count('row-link seats"') == 1


def test_club_and_seasons_lead_to_it(client: Client, club: Club) -> None:
    assert (
        f'href="{address(club)}"' in client.get(reverse("club", args=[club.slug])).content.decode()
    )
    season = Season.objects.get(name="Autumn")
    assert (
        f'href="{address(club)}"'
        in client.get(reverse("season", args=[club.slug, season.slug])).content.decode()
    )
    assert f'class="btn" href="{address(club)}"' not in shown(client, club)


def test_everybody_may_see_it_at_the_cost_of_a_season(
    client: Client, club: Club, django_assert_num_queries: Queries
) -> None:
    for page, queries in zip(PAGES, (3, 2, 3, 2), strict=True):
        with django_assert_num_queries(queries):
            first = client.get(address(club, page))
            assert first.getvalue()
        assert first.status_code == 200
        client.get(address(club, page))
        with django_assert_num_queries(1):
            assert (
                client.get(
                    address(club, page), headers={"if-none-match": first["ETag"]}
                ).status_code
                == 304
            )


@pytest.mark.parametrize("page", PAGES)
def test_a_club_without_one_has_no_such_page_and_no_way_to_it(client: Client, page: str) -> None:
    season = counted_season(1)
    assert client.get(address(season.club, page)).status_code == 404
    assert "all-time" not in client.get(reverse("club", args=[season.club.slug])).content.decode()
    assert (
        "all-time"
        not in client.get(reverse("season", args=[season.club.slug, season.slug])).content.decode()
    )


def test_games_are_imported_into_seasons_alone(client: Client, club: Club) -> None:
    assert "Import games" not in shown(client, club)


def test_no_season_takes_its_address(club: Club) -> None:
    with pytest.raises(ValidationError, match="Another page"):
        SeasonFactory.create(club=club, slug="all-time")
    with pytest.raises(ValidationError, match="Another page"):
        season_change(season=Season.objects.get(name="Autumn"), actor=Actor(), slug="all-time")
