"""The overview of a club's desk, and the lists that a club stands in or not."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from league.models import Club
from tests.factories.counted import counted_season
from tests.factories.events import event
from tests.factories.league import ClubFactory, MembershipFactory, SeasonFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return ClubFactory.create(slug="stern", name="Zum Stern")


@pytest.fixture
def desk(client: Client, club: Club) -> Client:
    client.force_login(MembershipFactory.create(club=club).user)
    return client


def test_an_unlisted_club_is_found_by_its_members_and_its_address(client: Client) -> None:
    club = ClubFactory.create(slug="quiet", name="The quiet ones", listed=False)
    counted_season(1, club=club, name="Whispers")
    for page in ("/clubs/", "/", "/api/v1/clubs/"):
        html = client.get(page).content.decode()
        assert "The quiet ones" not in html
        assert "Whispers" not in html
    assert "Whispers" in client.get("/clubs/quiet/").content.decode()
    assert client.get("/api/v1/clubs/quiet/").status_code == 200
    client.force_login(MembershipFactory.create(club=club).user)
    assert "The quiet ones" in client.get("/clubs/").content.decode()


def test_the_overview_says_what_comes_next(desk: Client, club: Club) -> None:
    page = reverse("desk", args=["stern"])

    def next_step() -> str | None:
        following = desk.get(page).context["next"]
        return following.action if following else None

    assert next_step() == "Begin a season"
    season = SeasonFactory.create(club=club)
    assert next_step() == "Plan an event"
    event(season)
    assert next_step() == "Import games"
    assert reverse("import", args=["stern", season.slug]) in desk.get(page).content.decode()
    counted_season(1, club=club)
    assert next_step() == "Invite somebody"
    MembershipFactory.create(club=club)
    assert next_step() is None
    assert "Nothing to do." in desk.get(page).content.decode()


def test_uploads_of_all_seasons_stand_together(desk: Client, club: Club) -> None:
    page = reverse("desk-imports", args=["stern"])
    assert "Begin one first." in desk.get(page).content.decode()
    season = SeasonFactory.create(club=club)
    assert reverse("import", args=["stern", season.slug]) in desk.get(page).content.decode()
