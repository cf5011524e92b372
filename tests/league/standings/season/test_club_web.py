"""Clubs, their seasons, and the first page."""

import re
from collections.abc import Callable
from datetime import UTC, date, datetime

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries as Queries

from league.core.club.services import club_change
from league.core.log.services import Actor
from league.core.player.services.player import player_rename
from league.events.event.services import event_change
from league.models import Club, Event, Player, Ranking, Season, Visibility
from league.standings.season.services.season import season_change
from tests.factories import events
from tests.factories.counted import add_games, counted_season, rename, three_tables
from tests.factories.league import ClubFactory, MembershipFactory, SeasonFactory, UserFactory

pytestmark = pytest.mark.django_db


def club_page(client: Client, club: Club) -> str:
    return client.get(reverse("club", args=[club.slug])).content.decode()


def more_seasons(club: Club, count: int) -> None:
    """So many seasons of a club that were counted once, without a game."""
    rankings = Ranking.objects.bulk_create(Ranking(club=club, version=1) for _ in range(count))
    Season.objects.bulk_create(
        Season(
            club=club,
            ranking=ranking,
            slug=f"more-{number}",
            name=f"More {number}",
            starts_on=date(2020, 1, 1),
        )
        for number, ranking in enumerate(rankings)
    )


@pytest.mark.parametrize("count", [1, 3, 1_000])
def test_queries_do_not_grow_with_the_rows(
    client: Client, count: int, django_assert_num_queries: Queries
) -> None:
    club = ClubFactory.create()
    for _ in range(min(count, 3)):
        counted_season(2, club=club)
        ClubFactory.create()
    more_seasons(club, count - min(count, 3))
    with django_assert_num_queries(8):
        first = client.get(reverse("club", args=[club.slug]))
    with django_assert_num_queries(6):
        again = client.get(
            reverse("club", args=[club.slug]), headers={"if-none-match": first["ETag"]}
        )
    assert again.status_code == 304
    with django_assert_num_queries(2):
        client.get(reverse("club_list"))
    with django_assert_num_queries(6):
        first = client.get(reverse("home"))
    for queries in (2, 1):
        # The second reader's request looks whether the page is still the same, and notes its state.
        with django_assert_num_queries(queries):
            again = client.get(reverse("home"), headers={"if-none-match": first["ETag"]})
        assert again.status_code == 304


def test_a_club_shows_the_seasons_one_may_see_with_their_leaders(client: Client) -> None:
    club = ClubFactory.create()
    rename(counted_season(3, club=club, name="Open"), "anna", "<i>Anna</i>")
    counted_season(1, club=club, name="By link", visibility=Visibility.LINK)
    SeasonFactory.create(club=club, name="Inside", visibility=Visibility.MEMBERS)
    html = club_page(client, club)
    assert "Open" in html
    assert "By link" not in html
    assert "Inside" not in html
    assert "3 games" in html
    client.force_login(MembershipFactory.create(club=club).user)
    assert all(name in club_page(client, club) for name in ("Open", "By link", "Inside"))


def test_a_club_without_seasons_says_so(client: Client) -> None:
    assert "No seasons to see yet" in club_page(client, ClubFactory.create())
    assert client.get(reverse("club", args=["nowhere"])).status_code == 404


def test_the_list_counts_only_seasons_one_may_see(client: Client) -> None:
    club = ClubFactory.create(name="<b>Club</b>")
    SeasonFactory.create(club=club)
    SeasonFactory.create(club=club, visibility=Visibility.MEMBERS)
    html = client.get(reverse("club_list")).content.decode()
    assert re.findall(r"\d seasons?\b", html) == ["1 season"]
    assert "&lt;b&gt;Club&lt;/b&gt;" in html
    Club.objects.filter(pk=club.pk).update(name="x")
    SeasonFactory.create(club=club)
    assert re.findall(r"\d seasons?\b", client.get(reverse("club_list")).content.decode()) == [
        "2 seasons"
    ]


def test_clubs_and_seasons_come_in_pages(client: Client) -> None:
    club = ClubFactory.create()
    ClubFactory.create_batch(30)
    SeasonFactory.create_batch(13, club=club)
    assert "Page 1 of 2" in client.get(reverse("club_list")).content.decode()
    assert (
        "Page 2 of 2" in client.get(reverse("club", args=[club.slug]) + "?page=2").content.decode()
    )


def test_no_clubs_no_tables_and_no_games_are_said(client: Client) -> None:
    assert "No clubs yet" in client.get(reverse("club_list")).content.decode()
    home = client.get(reverse("home")).content.decode()
    assert "No tables yet" in home
    assert "No games yet" in home


def test_the_first_page_shows_public_tables_the_latest_first(client: Client) -> None:
    for number in range(4):
        season = counted_season(1, name=f"Public {number}")
        Ranking.objects.filter(pk=season.ranking_id).update(
            computed_at=datetime(2026, 9, 1 + number, tzinfo=UTC)
        )
    counted_season(1, name="Hidden", visibility=Visibility.MEMBERS)
    html = client.get(reverse("home")).content.decode()
    assert "Hidden" not in html
    assert "Public 0" not in html
    assert html.index("Public 3") < html.index("Public 2") < html.index("Public 1")
    assert "won</a>" in html


CHANGES: dict[str, Callable[[Season], object]] = {
    "a game is counted": lambda season: add_games(season, three_tables(1, first=7)),
    "a player is renamed": lambda season: player_rename(
        player=Player.objects.get(handle="anna"), actor=Actor(), name="A"
    ),
    "the season is renamed": lambda season: season_change(
        season=season, actor=Actor(), name="Another"
    ),
    "the club is renamed": lambda season: club_change(
        club=season.club, actor=Actor(), name="Another"
    ),
    "an event is announced": lambda season: events.event(season, "night-2"),
    "somebody enters": lambda season: events.crowd(Event.objects.get(), 1),
    "an event is moved to the past": lambda season: event_change(
        event=Event.objects.get(), actor=Actor(), starts_at=datetime(2026, 1, 1, tzinfo=UTC)
    ),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_what_the_first_pages_show_is_sent_again_when_it_changes(
    client: Client, change: Callable[[Season], object]
) -> None:
    season = counted_season(2)
    events.event(season)
    tags = {
        url: client.get(url)["ETag"]
        for url in (reverse("home"), reverse("club", args=[season.club.slug]))
    }
    assert {
        client.get(url, headers={"if-none-match": tag}).status_code for url, tag in tags.items()
    } == {304}
    change(season)
    assert {
        client.get(url, headers={"if-none-match": tag}).status_code for url, tag in tags.items()
    } == {200}


def test_the_first_page_of_a_member_is_made_each_time_as_work_comes_with_the_time(
    client: Client,
) -> None:
    client.force_login(MembershipFactory.create().user)
    assert "ETag" not in client.get(reverse("home")).headers


def test_the_first_page_is_another_once_the_service_has_an_account(client: Client) -> None:
    tag = client.get(reverse("home"))["ETag"]
    UserFactory.create()
    assert client.get(reverse("home"), headers={"if-none-match": tag}).status_code == 200
