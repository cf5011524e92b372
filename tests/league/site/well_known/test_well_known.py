"""The files that browsers, search engines and finders of holes look for."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from typing import Any

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import reverse

from games.models import Game
from league.models import Club, Event, Season, Visibility
from league.site.well_known.web.sitemaps import PublicSitemap
from tests.factories import events
from tests.factories.counted import counted_season
from tests.factories.league import ClubFactory

pytestmark = pytest.mark.django_db
ORIGIN = "http://localhost:8000"


@pytest.fixture
def season() -> Season:
    made = counted_season(3, club=ClubFactory.create(slug="keller"), slug="herbst")
    events.event(made, "abend")
    events.event(made, "entwurf", status=Event.Status.DRAFT)
    return made


def addresses(client: Client, part: str) -> list[str]:
    answer = client.get(part)
    assert answer.status_code == HTTPStatus.OK
    return re.findall(r"<loc>(.*?)</loc>", answer.content.decode())


def all_addresses(client: Client) -> list[str]:
    parts = [part.removeprefix(ORIGIN) for part in addresses(client, "/sitemap.xml")]
    return [
        address
        for part in parts
        for address in addresses(client, part.replace("http://testserver", ""))
    ]


def test_search_engines_find_what_is_public_by_its_public_address(
    client: Client, season: Season
) -> None:
    found = all_addresses(client)
    games = {f"{ORIGIN}/games/{id}/" for id in Game.objects.values_list("public_id", flat=True)}
    assert games <= set(found)
    assert f"{ORIGIN}/clubs/keller/" in found
    assert f"{ORIGIN}/clubs/keller/herbst/" in found
    assert f"{ORIGIN}/clubs/keller/events/abend/" in found
    assert f"{ORIGIN}/docs/start" in found
    assert f"{ORIGIN}/clubs/keller/events/entwurf/" not in found
    assert not [address for address in found if "/players/" in address]
    assert len(found) == len(set(found))


@pytest.mark.parametrize(
    "hidden", [{"visibility": Visibility.LINK}, {"visibility": Visibility.MEMBERS}]
)
def test_a_season_that_isnt_public_isnt_found(
    client: Client, season: Season, hidden: dict[str, Any]
) -> None:
    Season.objects.update(**hidden)
    assert not [
        address
        for address in all_addresses(client)
        if "/herbst/" in address or "/games/" in address
    ]


def test_a_club_that_isnt_listed_isnt_found(client: Client, season: Season) -> None:
    Club.objects.update(listed=False)
    assert not [
        address
        for address in all_addresses(client)
        if "/keller/" in address or "/games/" in address
    ]


def test_many_addresses_come_in_parts(
    client: Client, season: Season, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PublicSitemap, "limit", 2)
    assert len(addresses(client, "/sitemap-games.xml")) == 2
    assert len(addresses(client, "/sitemap-games.xml?p=2")) == 1
    assert client.get("/sitemap-games.xml?p=3").status_code == HTTPStatus.NOT_FOUND


def test_robots_leave_alone_what_is_for_those_who_are_signed_in(client: Client) -> None:
    lines = client.get("/robots.txt").content.decode().splitlines()
    assert lines[0] == "User-agent: *"
    assert {"Disallow: /accounts/", "Disallow: /*/desk/", "Disallow: /claim/"} <= set(lines)
    assert f"Sitemap: {ORIGIN}/sitemap.xml" in lines


def test_whom_to_tell_of_a_hole(client: Client, settings: Any) -> None:
    assert client.get("/.well-known/security.txt").status_code == HTTPStatus.NOT_FOUND
    settings.SECURITY_CONTACT = "mailto:security@example.org"
    answer = client.get("/.well-known/security.txt")
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    fields = dict(line.split(": ", 1) for line in answer.content.decode().splitlines())
    assert fields["Contact"] == "mailto:security@example.org"
    assert fields["Canonical"] == f"{ORIGIN}/.well-known/security.txt"
    left = datetime.fromisoformat(fields["Expires"]) - datetime.now(UTC)
    assert timedelta(days=100) < left < timedelta(days=365)


def test_a_phone_can_put_it_on_its_first_screen(client: Client) -> None:
    manifest = client.get("/manifest.webmanifest")
    assert manifest["Content-Type"] == "application/manifest+json"
    content = manifest.json()
    assert content["start_url"] == "/"
    assert {"any", "maskable"} == {icon["purpose"] for icon in content["icons"]}
    for icon in content["icons"]:
        assert finders.find(icon["src"].removeprefix("/static/"))
    html = client.get(reverse("docs")).content.decode()
    assert '<link rel="manifest" href="/manifest.webmanifest">' in html
    assert 'rel="apple-touch-icon"' in html


def test_a_browser_that_asks_for_the_icon_gets_it(client: Client) -> None:
    answer = client.get("/favicon.ico")
    assert answer["Content-Type"] == "image/x-icon"
    assert answer.content.startswith(b"\x00\x00\x01\x00")
