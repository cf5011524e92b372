"""Clubs, their seasons, and the first page."""

import re
from datetime import UTC, datetime

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries as Queries

from league.models import Club, Ranking, Visibility
from tests.factories.counted import counted_season, rename
from tests.factories.league import ClubFactory, MembershipFactory, SeasonFactory

pytestmark = pytest.mark.django_db


def club_page(client: Client, club: Club) -> str:
    return client.get(reverse("club", args=[club.slug])).content.decode()


@pytest.mark.parametrize("count", [1, 3])
def test_queries_do_not_grow_with_the_rows(client: Client, count: int, django_assert_num_queries: Queries) -> None:
    club = ClubFactory.create()
    for _ in range(count):
        counted_season(2, club=club)
        ClubFactory.create()
    with django_assert_num_queries(5):
        club_page(client, club)
    with django_assert_num_queries(2):
        client.get(reverse("club_list"))
    with django_assert_num_queries(4):
        client.get(reverse("home"))


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
    assert re.findall(r"\d seasons?\b", client.get(reverse("club_list")).content.decode()) == ["2 seasons"]


def test_clubs_and_seasons_come_in_pages(client: Client) -> None:
    club = ClubFactory.create()
    ClubFactory.create_batch(30)
    SeasonFactory.create_batch(13, club=club)
    assert "Page 1 of 2" in client.get(reverse("club_list")).content.decode()
    assert "Page 2 of 2" in client.get(reverse("club", args=[club.slug]) + "?page=2").content.decode()


def test_no_clubs_no_tables_and_no_games_are_said(client: Client) -> None:
    assert "No clubs yet" in client.get(reverse("club_list")).content.decode()
    home = client.get(reverse("home")).content.decode()
    assert "No tables yet" in home
    assert "No games yet" in home


def test_the_first_page_shows_public_tables_the_latest_first(client: Client) -> None:
    for number in range(4):
        season = counted_season(1, name=f"Public {number}")
        Ranking.objects.filter(pk=season.ranking_id).update(computed_at=datetime(2026, 9, 1 + number, tzinfo=UTC))
    counted_season(1, name="Hidden", visibility=Visibility.MEMBERS)
    html = client.get(reverse("home")).content.decode()
    assert "Hidden" not in html
    assert "Public 0" not in html
    assert html.index("Public 3") < html.index("Public 2") < html.index("Public 1")
    assert "won</a>" in html
