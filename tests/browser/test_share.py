"""A page is handed on by what the device offers for that, else by a copy of its address."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.service import Site

SEASON = "/clubs/becherkeller/herbstliga-2026/"
WITH_MENU = "Navigator.prototype.share = async (page) => { window.shared = page; };"
"""A device that has such a menu; Chromium on Linux has none."""


def test_without_a_menu_of_the_device_the_address_is_copied(page: Page, site: Site) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"{SEASON}?sort=points")
    page.get_by_role("button", name="Share", exact=True).click()
    expect(page.locator("#announce")).to_have_text("Link copied")
    assert page.evaluate("navigator.clipboard.readText()") == f"{site.url}{SEASON}"


def test_the_menu_of_the_device_gets_title_and_address(page: Page, site: Site) -> None:
    page.add_init_script(WITH_MENU)
    page.goto(SEASON)
    page.get_by_role("button", name="Share", exact=True).click()
    assert page.evaluate("window.shared") == {
        "title": "Herbstliga 2026",
        "url": f"{site.url}{SEASON}",
    }


@pytest.mark.parametrize("context_options", [{"java_script_enabled": False}], ids=["no scripts"])
def test_without_scripts_there_is_no_button_that_does_nothing(page: Page) -> None:
    page.goto(SEASON)
    expect(page.get_by_role("button", name="Share")).to_have_count(0)
