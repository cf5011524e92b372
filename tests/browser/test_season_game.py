"""A game of a season without a table, from the page of the season to its table, on one phone whose
network goes away meanwhile."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.conftest import CHROMIUM, PATIENCE, is_sound, sign_in
from tests.browser.scorer import PHONE, Phone
from tests.browser.service import Site

PROGRAMS = CHROMIUM
MAKE = """
from datetime import date
from league.models import Club
from league.standings.season.services.season import season_create
from tests.factories import events
club = Club.objects.get(slug="becherkeller")
season_create(club=club, actor=events.ACTOR, slug="pub", name="Pub", starts_on=date(2026, 9, 3), rules={"dice": 2},
              scoring="cntdice")
events.players(club, 2, prefix="pub-")
"""
WRITTEN = """
import json
from games.models import SheetEntry
from league.models import SeasonGame
entries = SheetEntry.objects.filter(sheet__open_game__season_open_game__season__slug="pub").order_by("number")
games = SeasonGame.objects.filter(season__slug="pub").values_list("game__sealed_sheet__length", flat=True)
print(json.dumps([[entry.act for entry in entries], list(games)]))
"""


@pytest.fixture
def context_options() -> dict[str, Any]:
    return PHONE


def read_by_code(page: Page, picture: Path) -> None:
    """Read the code of one entry on the page where games of the season are opened."""
    page.goto("/clubs/becherkeller/pub/write/")
    page.get_by_role("link", name="Scan a phone’s code").click()
    is_sound(page)
    page.locator("input[type=file]").set_input_files(picture)
    expect(page.get_by_text("1 entry read from the code.")).to_be_visible(timeout=PATIENCE)
    is_sound(page)


def test_a_game_is_written_without_a_table_and_counts_in_the_season(
    context: BrowserContext, site: Site, tmp_path: Path
) -> None:
    site.run(MAKE)
    page = context.new_page()
    sign_in(page, "scorer@example.org")
    page.goto("/clubs/becherkeller/pub/")
    page.get_by_role("link", name="Write a game down").click()
    is_sound(page)
    page.get_by_label("Seat 1").fill("pub-1")
    page.get_by_label("Seat 2").fill("somebody")
    page.get_by_role("button", name="Write it down here").click()
    expect(page.get_by_text("No player in the club is called somebody.")).to_be_visible()
    is_sound(page)
    page.get_by_label("Seat 1").fill("")
    page.get_by_label("Seat 2").fill("")
    first, second, third = (page.locator(".face").nth(place) for place in range(3))
    for face in (first, third, second):
        face.click()
    expect(page.get_by_label("Seat 3")).to_be_visible()
    is_sound(page)
    third.click()
    expect(page.get_by_label("Seat 3")).to_be_hidden()
    for seat, face in (("1", first), ("2", second)):
        expect(face).to_have_attribute("aria-pressed", "true")
        expect(face).to_have_attribute("data-place", seat)
    page.get_by_label("Seat 1").fill("pub-2")
    page.get_by_label("Seat 2").fill("PUB-1")
    page.get_by_role("button", name="Write it down here").click()
    page.wait_for_url(re.compile(r"/score/games/\w{10}/$"))
    phone = Phone(page)
    phone.shows("All sent")
    is_sound(page)
    phone.round(0, "3 fours", "2 dice count")
    phone.shows("All sent")
    page.route("**/api/**", lambda route: route.abort())
    phone.seat(0)
    phone.tap("1 four")
    phone.tap("3 dice count")
    phone.tap("Done")
    expect(page.locator("#score-state")).to_contain_text("1 not sent")
    phone.tap("Show as a code")
    code = page.get_by_role("img", name="Code for what isn’t sent yet")
    expect(code).to_be_visible()
    code.screenshot(path=tmp_path / "code.png")
    read_by_code(context.new_page(), tmp_path / "code.png")
    page.get_by_role("button", name="Back").click()
    phone.tap("Seal the game")
    expect(page.get_by_text("sealed as soon as everything is sent")).to_be_visible()
    page.unroute("**/api/**")
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.get_by_role("heading", name="The game is sealed")).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_role("button", name="Write down the next game of this table")).to_have_count(
        0
    )
    expect(page.get_by_role("heading", name="Pub place and points")).to_be_visible(timeout=PATIENCE)
    is_sound(page)
    again = page.get_by_role("link", name="Another game with the same players").get_attribute(
        "href"
    )
    assert again == "/clubs/becherkeller/pub/write/?seat=pub-2&seat=pub-1"
    acts, lengths = json.loads(site.run(WRITTEN))
    assert (acts, lengths) == (["close"] * len(acts), [len(acts)])
    page.get_by_role("link", name="See the game").click()
    page.wait_for_url("**/games/*/")
    page.goto("/clubs/becherkeller/pub/")
    for name in ("pub-1", "pub-2"):
        expect(page.locator("main table").get_by_text(name).first).to_be_visible()
    page.goto("/clubs/becherkeller/pub/write/")
    expect(page.get_by_text("None. A game appears here")).to_be_visible()
