"""Each noun lists its addresses, and no order among the nouns decides which page an address
opens."""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from itertools import combinations

import pytest
from django.test import Client
from django.urls import resolve, reverse
from django.urls.resolvers import RoutePattern

from league.core.club.urls import CLUB
from league.events.event.models import EVENT_RESERVED
from league.events.event.urls import EVENT_DESK
from league.floor.check_in.desk.entry import STEPS
from league.models import Season
from league.standings.season.models import RESERVED, AllTime
from league.standings.season.urls import SEASON
from league.urls import pages
from league.wings import noun_modules
from tests.factories.league import SeasonFactory

LISTS = {"pages": "", "desk": "", "api": "api/"}
"""What the nouns list, and what stands before it."""
LISTED = [
    (module, f"{before}{address.pattern}")
    for module in map(import_module, noun_modules("urls"))
    for name, before in LISTS.items()
    for address in getattr(module, name, [])
]
"""The addresses of the service, each with the module that lists it."""
WORDS = {re.sub("<[^>]+>", "x", part) for _, route in LISTED for part in route.split("/")}
"""All that stands between two slashes somewhere."""
PUBLIC_ID, NUMBER = "2222222222", "1"


@cache
def fitting(part: str) -> set[str]:
    """The words that can stand at a part of an address."""
    pattern = RoutePattern(part, is_endpoint=True)
    return {word for word in WORDS | {PUBLIC_ID, NUMBER} if pattern.match(word)}


def meet(one: str, other: str) -> bool:
    """True if an address fits both."""
    parts, others = one.split("/"), other.split("/")
    return len(parts) == len(others) and all(
        fitting(a) & fitting(b) for a, b in zip(parts, others, strict=True)
    )


def fixed_words(prefix: str) -> set[str]:
    """The words that begin addresses below a prefix."""
    below = {
        str(page.pattern).removeprefix(f"{prefix}/")
        for page in pages
        if str(page.pattern).startswith(prefix)
    }
    return {
        word
        for word in (address.partition("/")[0] for address in below)
        if re.fullmatch(r"[-\w]+", word)
    }


def test_no_address_fits_what_two_nouns_list() -> None:
    both = [
        f"{one} of {module.__name__}, {other} of {other_module.__name__}"
        for (module, one), (other_module, other) in combinations(LISTED, 2)
        if module is not other_module and meet(one, other)
    ]
    assert both == []


def test_no_season_takes_the_place_of_another_page_of_the_club() -> None:
    assert {"claims", "desk", "log"} <= fixed_words(CLUB) <= set(RESERVED)


def test_no_event_takes_the_place_of_another_page_of_the_desk() -> None:
    assert fixed_words(EVENT_DESK.rpartition("/")[0]) == set(EVENT_RESERVED)


@pytest.mark.parametrize("word", RESERVED)
def test_below_the_words_of_a_club_there_are_no_pages_of_a_season(word: str) -> None:
    route = RoutePattern(f"{SEASON}/write/", is_endpoint=True)
    assert bool(route.match(f"clubs/stern/{word}/write/")) == (word == AllTime.SLUG)
    assert route.match(f"clubs/stern/{word}s/write/")


@pytest.mark.django_db
def test_a_season_called_like_a_newer_page_leads_to_that_page_and_breaks_none(
    client: Client,
) -> None:
    season: Season = SeasonFactory.create()
    Season.objects.update(slug="claims")
    address = reverse("season", args=[season.club.slug, "claims"])
    assert resolve(address).view_name == "claims"
    assert client.get(reverse("club", args=[season.club.slug])).status_code == 200


@pytest.mark.parametrize("step", STEPS)
def test_a_step_of_an_entry_has_its_page_beside_those_of_other_nouns(step: str) -> None:
    entry = f"/clubs/stern/desk/events/night-1/entries/{PUBLIC_ID}"
    assert resolve(f"{entry}/{step}/").view_name == "desk-entry-step"
    assert resolve(f"{entry}/counts/").view_name == "desk-entry-counts"
