"""The club's settings."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from league.core.club.actions import ClubAction
from league.core.log.models import LogEntry
from league.models import Club
from tests.factories.league import ClubFactory, MembershipFactory

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
        "name": "Zum Stern",
        "about": "",
        "slug": "stern",
        "timezone": "Europe/Berlin",
        "language": "en",
        "currency": "EUR",
        "listed": "on",
        **changed,
    }


def send(client: Client, **changed: str) -> str:
    answer = client.post(reverse("desk-club", args=["stern"]), fields(**changed), follow=True)
    return " ".join(answer.content.decode().split())


def test_settings_are_saved_and_logged(desk: Client, club: Club) -> None:
    assert "Settings saved." in send(
        desk, name="Zum Goldenen Stern", about="Thursdays", language="nl"
    )
    club.refresh_from_db()
    assert (club.name, club.about, club.language) == ("Zum Goldenen Stern", "Thursdays", "nl")
    assert LogEntry.objects.latest("position").action == ClubAction.CHANGED


@pytest.mark.parametrize(
    ("changed", "said", "after"),
    [
        ({"slug": "sonne"}, "links to the old one stop working", {"slug": "sonne"}),
        ({"timezone": "Asia/Tokyo"}, "shown in the new time zone", {"timezone": "Asia/Tokyo"}),
        ({"listed": ""}, "disappear from this service’s lists", {"listed": False}),
    ],
)
def test_what_others_would_notice_is_said_first(
    desk: Client, club: Club, changed: dict[str, str], said: str, after: dict[str, Any]
) -> None:
    assert said in send(desk, **changed)
    (name, value), *_ = after.items()
    club.refresh_from_db()
    assert getattr(club, name) != value
    assert "Settings saved." in send(desk, **changed, sure="yes")
    club.refresh_from_db()
    assert getattr(club, name) == value


def test_an_address_of_another_club_is_refused_at_its_field(desk: Client, club: Club) -> None:
    ClubFactory.create(slug="taken")
    html = send(desk, slug="taken", sure="yes")
    assert "Another club has this address." in html[html.index('class="field wrong"') :]


@pytest.mark.parametrize(
    ("written", "websites"),
    [
        ("www.Verein.de", "https://www.verein.de"),
        ("https://verein.de/aktuelles/?seite=2", "https://verein.de"),
        ("verein.de\r\n\r\nhttps://verein.de/", "https://verein.de"),
        ("bücherwürmer.de", "https://xn--bcherwrmer-9dbf.de"),
        ("http://localhost:8080", "http://localhost:8080"),
    ],
)
def test_a_website_is_found_in_whatever_people_write(
    desk: Client, club: Club, written: str, websites: str
) -> None:
    send(desk, websites=written)
    club.refresh_from_db()
    assert club.websites == websites


@pytest.mark.parametrize(
    "written",
    [
        "*",
        "javascript:alert(1)",
        "'self'",
        "a b.de",
        "https://x.de; script-src *",
        "ftp://x.de",
        "https://x.de:y",
        "-.de",
    ],
)
def test_what_is_no_website_is_refused_with_its_line(
    desk: Client, club: Club, written: str
) -> None:
    assert "isn’t a website’s address" in send(desk, websites=written)
    club.refresh_from_db()
    assert club.websites == ""


def test_a_club_has_no_more_than_twenty_websites(desk: Client, club: Club) -> None:
    assert "at most 20 websites" in send(
        desk, websites="\n".join(f"{number}.x.de" for number in range(21))
    )
