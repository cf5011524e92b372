"""From an empty service to a season of one's own with a table: without administration, without a
command line."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, FilePayload, Page, expect

from tests.browser.conftest import complaints_of, is_sound
from tests.browser.service import Site, empty

SEASON = Path(__file__).parents[1] / "golden" / "herbstliga-2026.jsonl.gz"
GAMES = 24
"""So many of the season are enough."""
PASSWORD = "three stars and a lie"
PHONE = {"viewport": {"width": 390, "height": 844}, "color_scheme": "light"}
DESK = {"viewport": {"width": 1280, "height": 900}, "color_scheme": "dark"}
WORDS: dict[str, dict[str, str]] = {
    "en-GB": {
        "make": "Create account and club",
        "begin": "Begin a season",
        "save": "Begin the season",
        "import": "Import games",
        "upload": "Upload and preview",
        "table": "Go to the season",
        "settings": "Settings",
        "store": "Save settings",
        "effects": "What will happen",
    },
    "de-DE": {
        "make": "Konto und Club anlegen",
        "begin": "Saison anlegen",
        "save": "Saison anlegen",
        "import": "Partien importieren",
        "upload": "Hochladen und ansehen",
        "table": "Zur Saison",
        "settings": "Einstellungen",
        "store": "Einstellungen speichern",
        "effects": "Was dann geschieht",
    },
    "nl-NL": {
        "make": "Account en club aanmaken",
        "begin": "Seizoen beginnen",
        "save": "Seizoen beginnen",
        "import": "Partijen importeren",
        "upload": "Uploaden en bekijken",
        "table": "Naar het seizoen",
        "settings": "Instellingen",
        "store": "Instellingen opslaan",
        "effects": "Wat er gaat gebeuren",
    },
}


@pytest.fixture(params=["phone", "desk"])
def screen(request: pytest.FixtureRequest) -> dict[str, Any]:
    """What the reader holds, or sits at."""
    return {"phone": PHONE, "desk": DESK}[request.param]


@pytest.fixture(params=WORDS)
def way(
    request: pytest.FixtureRequest, browser: Browser, up: tuple[Site, str], screen: dict[str, Any]
) -> Iterator[tuple[Page, str, dict[str, str]]]:
    """A reader of an empty service: the page, the address that its console shows, and the reader's
    words."""
    site, console = up
    address = re.search(r"http://\S+/setup/\?token=\w+", console)
    assert address, console
    context = browser.new_context(base_url=site.url, locale=request.param, **screen)
    context.set_default_timeout(120_000)
    page = context.new_page()
    complaints = complaints_of(page)
    yield page, address[0], WORDS[request.param]
    context.close()
    empty(site)
    assert not complaints


def unfold(page: Page, field: str) -> None:
    """Open the part of a form in which a field is."""
    page.locator(f"details:has({field}) > summary").click()


def press(page: Page, name: str) -> None:
    page.get_by_role("main").get_by_role("button", name=name, exact=True).first.click()


def follow(page: Page, name: str) -> None:
    with page.expect_navigation():  # else the old page is looked at while it goes
        page.get_by_role("main").get_by_role("link", name=name, exact=True).first.click()


def test_from_nothing_to_a_table_of_imported_games(way: tuple[Page, str, dict[str, Any]]) -> None:
    page, address, words = way
    page.goto(address)
    is_sound(page)
    page.locator("#id_username").fill("wirtin")
    page.locator("#id_email").fill("wirtin@example.org")
    page.locator("#id_password").fill(PASSWORD)
    page.locator("#id_password_again").fill(PASSWORD)
    page.locator("#id_club-name").fill("Würfelrunde")
    press(page, words["make"])
    page.wait_for_url("**/clubs/wurfelrunde/desk/")
    is_sound(page)

    follow(page, words["begin"])
    is_sound(page)
    follow(page, "Bluff")
    is_sound(page)
    page.locator("#id_name").fill("Herbstliga 2026")
    page.locator("#id_starts_on").fill("2026-09-01")
    unfold(page, "#id_rule_reroll")
    unfold(page, "#id_tie_break_2")
    page.locator("#id_rule_reroll input[value=free]").check()
    page.locator("#id_tie_break_2").select_option("best_game")
    page.locator("#id_tie_break_3").select_option("wins")
    press(page, words["save"])
    page.wait_for_url("**/clubs/wurfelrunde/herbstliga-2026/")
    is_sound(page)

    follow(page, words["import"])
    with gzip.open(SEASON) as season:
        games = list(islice(season, GAMES))
    players = len({seat for game in games for seat in json.loads(game)["seats"]})
    upload: FilePayload = {
        "name": "games.jsonl",
        "mimeType": "application/x-ndjson",
        "buffer": b"".join(games),
    }
    page.locator("input[type=file]").set_input_files(upload)
    press(page, words["upload"])
    page.locator("main form .btn-primary").first.click()
    follow(page, words["table"])
    expect(page.locator("#table tbody tr")).to_have_count(players, timeout=120_000)

    follow(page, words["settings"])
    is_sound(page)
    assert page.locator("#id_rule_exact input").first.is_disabled()
    unfold(page, "#id_tie_break_1")
    page.locator("#id_tie_break_1").select_option("points_per_game")
    press(page, words["store"])
    expect(page.get_by_role("heading", level=1)).to_have_text(words["effects"])
    is_sound(page)
    press(page, words["store"])
    expect(page.locator("#id_tie_break_1")).to_have_value("points_per_game")
    for part in ("seasons", "imports", "members", "keys", "settings"):
        page.goto(f"/clubs/wurfelrunde/desk/{part}/")
        is_sound(page)
