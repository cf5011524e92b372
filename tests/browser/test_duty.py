"""A scorer's way to the tables that wait, on a phone in German; and the hall's screen, which is
filled."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import is_sound

CUP = "/clubs/becherkeller/events/herbstcup-2026/"
MOST_TAPS = 2
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "locale": "de-DE"}
SCREEN: dict[str, Any] = {"viewport": {"width": 1920, "height": 1080}, "locale": "de-DE"}
FOOT = "part => part.getBoundingClientRect().bottom"
LETTERS = "part => parseFloat(getComputedStyle(part).fontSize)"


class Taps:
    """Counts the taps on a phone."""

    count = 0

    def on(self, what: Locator) -> None:
        """Tap on something."""
        what.click()
        self.count += 1


def sign_in(page: Page, email: str) -> None:
    """Sign in with an account of the demo, in whichever language."""
    page.goto("/accounts/login/")
    page.locator("[name=login]").fill(email)
    page.locator("[name=password]").fill("hoch-die-becher")
    page.locator("[name=password]").press("Enter")
    page.wait_for_url("**/")


@pytest.mark.parametrize("context_options", [PHONE])
def test_a_scorer_needs_two_taps_from_the_first_page_to_a_form(
    page: Page, context_options: dict[str, Any]
) -> None:
    sign_in(page, "scorer@example.org")
    taps = Taps()
    tile = page.locator("a.table-tile").first
    expect(tile).to_contain_text("Ergebnis eintragen")
    name = tile.locator("b").inner_text()
    names = tile.locator(".names").inner_text().split(", ")
    assert len(names) > 1
    is_sound(page)
    taps.on(tile)
    expect(page.get_by_role("heading", level=1)).to_have_text(f"Ergebnis von {name}")
    for player in names:
        expect(page.locator("main form").first).to_contain_text(player)
    is_sound(page)
    assert taps.count <= MOST_TAPS


@pytest.mark.parametrize("context_options", [PHONE])
def test_an_organiser_sees_at_once_where_results_are_missing(
    page: Page, context_options: dict[str, Any]
) -> None:
    sign_in(page, "organiser@example.org")
    for address in (
        "/",
        "/clubs/becherkeller/desk/",
        "/clubs/becherkeller/desk/events/herbstcup-2026/",
    ):
        page.goto(address)
        expect(page.locator("a.table-tile", has_text="Ergebnis eintragen").first).to_be_visible()
        expect(page.get_by_role("link", name="Saalanzeige").first).to_be_visible()
        expect(page.get_by_text("Es ist nichts zu tun")).to_have_count(0)
        is_sound(page)


@pytest.mark.parametrize("context_options", [PHONE])
def test_a_knock_out_opens_with_its_bracket(page: Page, context_options: dict[str, Any]) -> None:
    page.goto(f"{CUP}stages/2/")
    expect(page.locator(".bracket-narrow")).to_be_visible()
    expect(page.locator(".bracket-narrow")).to_contain_text("Tisch 1")
    assert "W1" not in page.locator("main").inner_text()
    is_sound(page)


@pytest.mark.parametrize("context_options", [SCREEN])
def test_the_hall_fills_its_screen_and_no_more(page: Page, context_options: dict[str, Any]) -> None:
    page.goto(f"{CUP}hall/")
    part = page.locator("[data-hall-part]").locator("visible=true")
    expect(part).to_have_count(1)
    expect(part.locator(".card.over").first).to_contain_text("✓")
    page.wait_for_function("document.querySelector('.hall-part.fitted')")
    assert part.evaluate(FOOT) <= 1080
    assert part.evaluate(LETTERS) > 32, "readable from eight metres"
    assert part.evaluate(FOOT) > 0.6 * 1080
    assert page.evaluate("document.documentElement.scrollHeight") <= 1080 + 80
