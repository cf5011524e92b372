"""What a season's events count for, its divisions and its close, on organisers' pages."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from league.counting.event_counting.models import EventCounting
from league.models import Club, Division, DivisionPlayer, Player, Season
from tests.factories import events
from tests.factories.league import MembershipFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk(client: Client, club: Club) -> Client:
    client.force_login(MembershipFactory.create(club=club).user)
    return client


@pytest.fixture
def four(season: Season) -> list[Player]:
    return events.players(season.club, 4)


def address(season: Season, page: str) -> str:
    return reverse(f"desk-season-{page}", args=[season.club.slug, season.slug])


def html_of(desk: Client, url: str, **sent: object) -> str:
    answer = desk.post(url, sent, follow=True) if sent else desk.get(url)
    return " ".join(answer.content.decode().split())


def test_an_organiser_says_how_the_events_count(desk: Client, season: Season) -> None:
    html = html_of(desk, address(season, "counting"), per="event", best="3", points="10, 6 4")
    assert "Events count this way from now on." in html
    counting = EventCounting.objects.get()
    assert (counting.per, counting.best, counting.points_table) == ("event", 3, [10, 6, 4])
    html_of(desk, address(season, "counting"), per="", best="", points="")
    assert not EventCounting.objects.exists()


@pytest.mark.parametrize(
    ("points", "words"), [("3 5", "fewer points"), ("ten", "whole numbers"), ("9" * 9, "whole")]
)
def test_a_table_of_points_that_can_not_be_is_said_at_its_field(
    desk: Client, season: Season, points: str, words: str
) -> None:
    assert words in html_of(desk, address(season, "counting"), per="event", points=points)
    assert not EventCounting.objects.exists()


def test_divisions_are_lists_of_handles(desk: Client, season: Season, four: list[Player]) -> None:
    sent = {
        "name1": "Stars",
        "down1": "1",
        "players1": "p1\nP2",
        "name2": "Cups",
        "up2": "1",
        "players2": "p3\np4",
    }
    assert "The divisions are saved." in html_of(desk, address(season, "divisions"), **sent)
    held = dict(DivisionPlayer.objects.values_list("player__handle", "division__name"))
    assert held == {"p1": "Stars", "p2": "Stars", "p3": "Cups", "p4": "Cups"}
    assert "p1" in html_of(desk, address(season, "divisions"))


@pytest.mark.parametrize(
    ("players", "words"),
    [("nobody", "is called nobody"), ("p1\np1", "listed twice"), ("p3", "listed twice")],
)
def test_a_handle_that_can_not_be_is_said_at_its_field(
    desk: Client, season: Season, four: list[Player], players: str, words: str
) -> None:
    sent = {"name1": "Stars", "players1": "p3", "name2": "Cups", "players2": players}
    assert words in html_of(desk, address(season, "divisions"), **sent)
    assert not Division.objects.exists()


def test_the_close_says_who_moves_before_it_is_done(
    desk: Client, season: Season, four: list[Player]
) -> None:
    sent = {
        "name1": "Stars",
        "down1": "1",
        "players1": "p1",
        "name2": "Cups",
        "up2": "1",
        "players2": "p3",
    }
    html_of(desk, address(season, "divisions"), **sent)
    html = html_of(desk, address(season, "close"))
    assert "p1 has rank 1 in Stars and goes down to Cups" in html
    assert "p3 has rank 1 in Cups and goes up to Stars" in html
    html = html_of(desk, address(season, "close"), name="Winter 2027", starts_on="2027-01-07")
    made = Season.objects.get(slug="winter-2027")
    held = dict(
        DivisionPlayer.objects.filter(season=made).values_list("player__handle", "division__name")
    )
    assert held == {"p1": "Cups", "p3": "Stars"}


def test_a_season_without_divisions_says_so(desk: Client, season: Season) -> None:
    assert "This season has no divisions" in html_of(desk, address(season, "close"))


@pytest.mark.parametrize("page", ["counting", "divisions", "close"])
def test_nobody_else_sees_these_pages(client: Client, season: Season, page: str) -> None:
    client.force_login(MembershipFactory.create(club=season.club, role="scorer").user)
    assert client.get(address(season, page)).status_code == 404
