"""Everybody can use the pages: axe finds nothing, on a phone and on a desk, in light and in dark."""

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from tests.browser.conftest import Site, sign_in

PAGES = [
    "/",
    "/clubs/",
    "/clubs/becherkeller/",
    "/clubs/becherkeller/herbstliga-2026/",
    "/clubs/becherkeller/herbstliga-2026/games/",
    "/clubs/becherkeller/herbstliga-2026/players/{player}/",
    "/clubs/becherkeller/all-time/",
    "/players/{player}/?season=herbstliga-2026",
    "/games/{bluff}/",
    "/games/{bluff}/?round=3",
    "/games/{bluff}/?round=3&move=2&view=all&light=belief",
    "/clubs/becherkeller/kniffelrunde-2026/",
    "/games/{kniffel}/",
    "/games/{kniffel}/?turn=5",
    "/replay/",
    "/docs/",
    "/docs/rules",
    "/accounts/login/",
]
SCREENS: list[dict[str, Any]] = [
    {"viewport": {"width": 390, "height": 844}, "color_scheme": "light"},
    {"viewport": {"width": 1280, "height": 900}, "color_scheme": "dark"},
]


@pytest.mark.parametrize("context_options", SCREENS, ids=["phone, light", "desk, dark"])
@pytest.mark.parametrize("path", PAGES)
def test_axe_finds_nothing(page: Page, path: str, ids: dict[str, str], context_options: dict[str, Any]) -> None:
    answer = page.goto(path.format_map(ids))
    assert answer
    assert answer.status == 200
    found = Axe().run(page)
    assert not found.violations_count, found.generate_report()
    assert not page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"), (
        "nothing sticks out at the side"
    )


@pytest.mark.parametrize("context_options", SCREENS, ids=["phone, light", "desk, dark"])
def test_axe_finds_nothing_for_an_organiser(page: Page, context_options: dict[str, Any]) -> None:
    sign_in(page, "organiser@example.org")
    page.goto("/clubs/becherkeller/herbstliga-2026/import/")
    found = Axe().run(page)
    assert not found.violations_count, found.generate_report()


@pytest.mark.parametrize(("locale", "word"), [("de-DE", "Platz"), ("nl-NL", "Speler"), ("en-GB", "Player")])
def test_a_reader_gets_their_language(browser: Browser, site: Site, locale: str, word: str) -> None:
    context = browser.new_context(base_url=site.url, locale=locale)
    page = context.new_page()
    page.goto("/clubs/becherkeller/herbstliga-2026/")
    assert page.locator("html").get_attribute("lang") == locale[:2]
    assert word in page.locator("table.ledger thead").inner_text()
    context.close()
