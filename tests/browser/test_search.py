"""A reader finds somebody from any page, and compares two players."""

from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import is_sound, sign_in
from tests.browser.service import Site
from tests.browser.test_access import SCREENS

SEASON = "/clubs/becherkeller/herbstliga-2026/"
PAGES = [
    "/search/",
    "/search/?q=a",
    "/search/?q=zzz",
    "/players/{player}/?season=herbstliga-2026&with=b#compared",
    SEASON + "players/{player}/days/",
]


@pytest.mark.parametrize("context_options", SCREENS, ids=["phone, light", "desk, dark"])
@pytest.mark.parametrize("path", PAGES)
def test_axe_finds_nothing(
    page: Page, path: str, ids: dict[str, str], context_options: dict[str, Any]
) -> None:
    page.goto(path.format_map(ids))
    is_sound(page)


@pytest.mark.parametrize("context_options", SCREENS, ids=["phone, light", "desk, dark"])
def test_axe_finds_nothing_on_the_pages_of_who_is_signed_in(
    page: Page, context_options: dict[str, Any]
) -> None:
    sign_in(page, "organiser@example.org")
    for address in ("/me/", f"{SEASON}styles/", f"{SEASON}styles/?sort=-caught"):
        page.goto(address)
        is_sound(page)


@pytest.mark.parametrize("context_options", [{"viewport": {"width": 1280, "height": 900}}])
def test_somebody_is_found_by_keyboard_and_compared(
    page: Page, ids: dict[str, str], context_options: dict[str, Any]
) -> None:
    page.goto(f"/players/{ids['player']}/?season=herbstliga-2026")
    own = page.get_by_role("heading", level=1).inner_text()
    rival = page.locator("#rivals .row-link").first.inner_text()
    page.get_by_role("banner").get_by_label("Player, game, season, event").fill(rival.upper())
    page.keyboard.press("Enter")
    page.get_by_role("main").get_by_role("link", name=rival, exact=True).first.press("Enter")
    assert page.get_by_role("heading", level=1).inner_text() == rival

    page.get_by_label("Compare with another player").fill(own[:3])
    page.keyboard.press("Enter")
    page.wait_for_url("**with=**")
    choice = page.locator("#compared .people a")
    if choice.count():
        choice.get_by_text(own, exact=True).click()
    page.get_by_role("heading", name=f"Compared with {own}").wait_for()
    heads = page.locator("#compared > .card > table thead").inner_text()
    assert own in heads
    assert rival in heads
    assert page.locator("#compared svg.wide .second .line").count() == 1


def test_the_search_works_without_javascript(site: Site, page: Page) -> None:
    context = page.context.browser
    assert context
    bare = context.new_context(
        base_url=site.url, java_script_enabled=False, viewport={"width": 390, "height": 844}
    )
    plain = bare.new_page()
    plain.goto("/clubs/")
    plain.get_by_role("banner").get_by_label("Player, game, season, event").fill("herbst")
    plain.get_by_role("banner").get_by_role("button", name="Search").press("Enter")
    assert "Herbstliga 2026" in plain.get_by_role("main").inner_text()
    bare.close()
