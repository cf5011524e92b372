"""The club's settings, its overview, and a new club of an operator."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from league.clubs.actions import ClubAction
from league.log.models import LogEntry
from league.models import Club
from tests.factories.counted import counted_season
from tests.factories.events import event
from tests.factories.league import ClubFactory, MembershipFactory, SeasonFactory, UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return ClubFactory.create(slug="stern", name="Zum Stern")


@pytest.fixture
def desk(client: Client, club: Club) -> Client:
    client.force_login(MembershipFactory.create(club=club).user)
    return client


def fields(**changed: str) -> dict[str, str]:
    return {
        "name": "Zum Stern", "about": "", "slug": "stern", "timezone": "Europe/Berlin", "language": "en",
        "listed": "on", **changed,
    }  # fmt: skip


def send(client: Client, **changed: str) -> str:
    answer = client.post(reverse("desk-club", args=["stern"]), fields(**changed), follow=True)
    return " ".join(answer.content.decode().split())


def test_settings_are_saved_and_logged(desk: Client, club: Club) -> None:
    assert "The settings are saved." in send(desk, name="Zum Goldenen Stern", about="Thursdays", language="nl")
    club.refresh_from_db()
    assert (club.name, club.about, club.language) == ("Zum Goldenen Stern", "Thursdays", "nl")
    assert LogEntry.objects.latest("position").action == ClubAction.CHANGED


@pytest.mark.parametrize(
    ("changed", "said", "after"),
    [
        ({"slug": "sonne"}, "links to the former one lead nowhere", {"slug": "sonne"}),
        ({"timezone": "Asia/Tokyo"}, "shown in the new zone", {"timezone": "Asia/Tokyo"}),
        ({"listed": ""}, "vanish from the lists", {"listed": False}),
    ],
)
def test_what_others_would_notice_is_said_first(
    desk: Client, club: Club, changed: dict[str, str], said: str, after: dict[str, Any]
) -> None:
    assert said in send(desk, **changed)
    (name, value), *_ = after.items()
    club.refresh_from_db()
    assert getattr(club, name) != value
    assert "The settings are saved." in send(desk, **changed, sure="yes")
    club.refresh_from_db()
    assert getattr(club, name) == value


def test_an_address_of_another_club_is_refused_at_its_field(desk: Client, club: Club) -> None:
    ClubFactory.create(slug="taken")
    html = send(desk, slug="taken", sure="yes")
    assert "Another club has this address." in html[html.index('class="field wrong"') :]


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
    assert "Nothing has to be done." in desk.get(page).content.decode()


def test_uploads_of_all_seasons_stand_together(desk: Client, club: Club) -> None:
    page = reverse("desk-imports", args=["stern"])
    assert "Begin one first." in desk.get(page).content.decode()
    season = SeasonFactory.create(club=club)
    assert reverse("import", args=["stern", season.slug]) in desk.get(page).content.decode()


def test_an_operator_founds_a_club(client: Client) -> None:
    client.force_login(UserFactory.create(is_superuser=True, is_staff=True))
    found = {"name": "Würfelrunde", "slug": "", "timezone": "Europe/Amsterdam", "language": "nl"}
    for _ in range(2):
        assert client.post(reverse("club-found"), found, follow=True).status_code == 200
    assert list(Club.objects.values_list("slug", flat=True)) == ["wurfelrunde", "wurfelrunde-2"]
    html = client.get("/").content.decode()
    assert 'href="/admin/"' in html


@pytest.mark.parametrize("count", [1, 3])
def test_few_queries_however_much_there_is(
    desk: Client, club: Club, count: int, django_assert_max_num_queries: Any
) -> None:
    for _ in range(count):
        counted_season(1, club=club)
    with django_assert_max_num_queries(18):
        desk.get(reverse("desk", args=["stern"]))
