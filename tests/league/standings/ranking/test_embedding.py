"""The websites that a club names show its rankings, brackets and tables in a frame, and nobody else
does."""

import pytest
from django.test import Client
from django.urls import reverse

from league.core.club.services import club_change
from league.core.log.services import Actor
from league.models import Season, Table
from tests.factories.counted import counted_season
from tests.factories.league import MembershipFactory
from tests.league.night import _same_chance, season
from tests.league.sheets.conftest import first_table

__all__ = ["_same_chance", "season"]

pytestmark = pytest.mark.django_db

WEBSITES = "https://verein.example\nhttps://www.verein.example:8443"


@pytest.fixture
def table(season: Season) -> Table:
    season.club.websites = WEBSITES
    season.club.save()
    return first_table(season)


def addresses(table: Table) -> list[str]:
    event = table.stage_round.stage.event
    club, stage = event.club.slug, [event.club.slug, event.slug, 1]
    return [
        reverse("season", args=[club, event.season.slug]),
        reverse("stage", args=stage),
        reverse("stage-ranking", args=stage),
        reverse("event-live", args=[club, event.slug]),
        reverse("table-live", args=[table.public_id]),
    ]


def ancestors(answer: object) -> str:
    policy: str = answer.headers["Content-Security-Policy"]  # type: ignore[attr-defined]
    return next(part for part in policy.split("; ") if part.startswith("frame-ancestors"))


def test_a_website_of_the_club_shows_them_without_head_and_foot(
    client: Client, table: Table
) -> None:
    for address in addresses(table):
        for _ in range(2):  # the second time it is one that was kept
            answer = client.get(address, {"embed": ""})
            assert answer.status_code == 200
            assert (
                ancestors(answer)
                == "frame-ancestors https://verein.example https://www.verein.example:8443"
            )
            assert "X-Frame-Options" not in answer.headers
            page = answer.content.decode()
            assert '<base target="_blank">' in page, "a link opens outside of the frame"
            assert 'class="bar' not in page
            assert f'href="{address}"' in page, "the way to the whole page"


def test_a_website_that_the_club_names_no_more_shows_no_page_that_was_kept(
    client: Client, table: Table
) -> None:
    club, actor = table.stage_round.stage.event.club, Actor(reason="test")
    for address in addresses(table):
        for _ in range(2):
            client.get(address, {"embed": ""})
    club_change(club=club, actor=actor, websites="https://anderer.example")
    assert {ancestors(client.get(address, {"embed": ""})) for address in addresses(table)} == {
        "frame-ancestors https://anderer.example"
    }
    club_change(club=club, actor=actor, websites="")
    for address in addresses(table):
        for _ in range(2):
            answer = client.get(address, {"embed": ""})
            assert ancestors(answer) == "frame-ancestors 'none'"
            assert answer.headers["X-Frame-Options"] == "DENY"


def test_the_whole_page_and_every_other_one_stay_by_themselves(
    client: Client, table: Table
) -> None:
    others = [reverse("table", args=[table.public_id]), reverse("home")]
    for address in [*addresses(table), *(f"{other}?embed" for other in others)]:
        answer = client.get(address)
        assert ancestors(answer) == "frame-ancestors 'none'"
        assert answer.headers["X-Frame-Options"] == "DENY"


def test_a_club_without_websites_is_shown_nowhere_else(client: Client) -> None:
    season = counted_season()
    answer = client.get(reverse("season", args=[season.club.slug, season.slug]), {"embed": ""})
    assert ancestors(answer) == "frame-ancestors 'none'"


def test_nobody_is_signed_in_there(client: Client, table: Table) -> None:
    """Who is led to click something that they don't see does nothing by it."""
    club = table.stage_round.stage.event.club
    client.force_login(MembershipFactory.create(club=club).user)
    for address in addresses(table):
        assert not client.get(address, {"embed": ""}).context["user"].is_authenticated
