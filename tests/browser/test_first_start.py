"""From an empty service to a season of one's own with a table: without administration, without a command line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import running

GAMES = Path(__file__).parents[1] / "golden" / "herbstliga-2026.jsonl.gz"
PASSWORD = "three stars and a lie"
PHONE = {"viewport": {"width": 390, "height": 844}, "color_scheme": "light"}
DESK = {"viewport": {"width": 1280, "height": 900}, "color_scheme": "dark"}
WAYS = [("en-GB", PHONE), ("de-DE", DESK), ("nl-NL", PHONE)]
WORDS: dict[str, dict[str, str]] = {
    "en-GB": {
        "make": "Make the account and the club", "begin": "Begin a season", "save": "Begin the season",
        "import": "Import games", "upload": "Upload and preview", "confirm": "Import now", "table": "To the season",
        "settings": "Settings", "store": "Save the settings", "effects": "What will happen",
    },
    "de-DE": {
        "make": "Konto und Club anlegen", "begin": "Saison beginnen", "save": "Saison beginnen",
        "import": "Partien importieren", "upload": "Hochladen und ansehen", "confirm": "Jetzt importieren",
        "table": "Zur Saison", "settings": "Einstellungen", "store": "Einstellungen speichern",
        "effects": "Was geschehen wird",
    },
    "nl-NL": {
        "make": "Account en club maken", "begin": "Seizoen beginnen", "save": "Seizoen beginnen",
        "import": "Partijen importeren", "upload": "Uploaden en bekijken", "confirm": "Nu importeren",
        "table": "Naar het seizoen", "settings": "Instellingen", "store": "Instellingen bewaren",
        "effects": "Wat er gaat gebeuren",
    },
}  # fmt: skip


@pytest.fixture(params=WAYS, ids=["English, phone", "German, desk", "Dutch, phone"])
def way(request: pytest.FixtureRequest, browser: Browser) -> Iterator[tuple[Page, str, dict[str, str]]]:
    """A reader of an empty service: the page, the address that its console shows, and the reader's words."""
    locale, screen = request.param
    with running(until="/setup/?token=") as (site, written):
        found = re.search(r"http://\S+/setup/\?token=\w+", written)
        assert found, written
        context = browser.new_context(base_url=site.url, locale=locale, **screen)
        context.set_default_timeout(120_000)
        page = context.new_page()
        complaints: list[str] = []
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        yield page, found[0], WORDS[locale]
        assert not complaints
        context.close()


def look_over(page: Page) -> None:
    """Nothing stands in anybody's way on this page, and nothing sticks out at the side."""
    found = Axe().run(page)
    assert not found.violations_count, found.generate_report()
    assert not page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")


def press(page: Page, name: str) -> None:
    page.get_by_role("main").get_by_role("button", name=name, exact=True).first.click()


def follow(page: Page, name: str) -> None:
    page.get_by_role("main").get_by_role("link", name=name, exact=True).first.click()


def test_from_nothing_to_a_table_of_imported_games(way: tuple[Page, str, dict[str, Any]]) -> None:
    page, address, words = way
    page.goto(address)
    look_over(page)
    page.locator("#id_username").fill("wirtin")
    page.locator("#id_email").fill("wirtin@example.org")
    page.locator("#id_password").fill(PASSWORD)
    page.locator("#id_password_again").fill(PASSWORD)
    page.locator("#id_club-name").fill("Würfelrunde")
    press(page, words["make"])
    page.wait_for_url("**/clubs/wurfelrunde/desk/")
    look_over(page)

    follow(page, words["begin"])
    look_over(page)
    follow(page, "Bluff")
    look_over(page)
    page.locator("#id_name").fill("Herbstliga 2026")
    page.locator("#id_starts_on").fill("2026-09-01")
    page.locator("#id_tie_break_2").select_option("best_game")
    page.locator("#id_tie_break_3").select_option("wins")
    press(page, words["save"])
    page.wait_for_url("**/clubs/wurfelrunde/herbstliga-2026/")
    look_over(page)

    follow(page, words["import"])
    page.locator("input[type=file]").set_input_files(GAMES)
    press(page, words["upload"])
    press(page, words["confirm"])
    follow(page, words["table"])
    expect(page.locator("#table tbody tr")).to_have_count(28, timeout=120_000)

    follow(page, words["settings"])
    look_over(page)
    assert page.locator("#id_rule_exact input").first.is_disabled()
    page.locator("#id_tie_break_1").select_option("points_per_game")
    press(page, words["store"])
    expect(page.get_by_role("heading", level=1)).to_have_text(words["effects"])
    look_over(page)
    press(page, words["store"])
    expect(page.locator("#id_tie_break_1")).to_have_value("points_per_game")
    for part in ("seasons", "imports", "members", "keys", "settings"):
        page.goto(f"/clubs/wurfelrunde/desk/{part}/")
        look_over(page)
