"""An organiser finds out that two players are one, and takes it back; the log tells of it."""

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.browser.conftest import sign_in
from tests.browser.test_access import SCREENS

CLUB = "/clubs/becherkeller/"


def of_all_players(page: Page) -> None:
    page.goto(CLUB)
    page.get_by_role("main").get_by_role("link", name="Players", exact=True).click()


@pytest.mark.parametrize("context_options", SCREENS, ids=["phone, light", "desk, dark"])
def test_axe_finds_nothing_on_the_pages_of_organisers(page: Page, context_options: dict[str, Any]) -> None:
    sign_in(page, "organiser@example.org")
    of_all_players(page)
    addresses = [page.url]
    page.locator("#players .row-link").first.click()
    addresses += [page.url, f"{page.url}rename/", f"{page.url}merge/", f"{page.url}erase/", f"{CLUB}log/"]
    for address in addresses:
        page.goto(address)
        for details in page.locator("main details").all()[:3]:
            details.locator("summary").click()
        found = Axe().run(page)
        assert not found.violations_count, found.generate_report()
        assert not page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")


def test_a_merge_is_looked_over_done_logged_and_undone(page: Page) -> None:
    sign_in(page, "organiser@example.org")
    of_all_players(page)
    names = page.locator("#players .row-link").all_inner_texts()
    page.locator("#players .row-link").first.click()
    kept = page.url
    page.get_by_role("link", name="Merge with another").click()
    page.get_by_label("The other player").fill(names[1])
    page.get_by_role("button", name="See what will happen").click()
    assert "sat together in a game" in page.get_by_role("main").inner_text()

    page.goto(kept)
    page.get_by_role("link", name="Rename").click()
    page.get_by_label("Name", exact=True).fill("Somebody else")
    page.get_by_role("button", name="Rename").click()
    assert page.get_by_role("heading", level=1).inner_text() == "Somebody else"

    page.goto(f"{CLUB}log/")
    page.get_by_label("About").fill("somebody")
    page.get_by_role("button", name="Show", exact=True).click()
    page.locator("tbody summary").first.click()
    row = page.locator("tbody tr[id]").first
    assert names[0] in row.inner_text()
    assert "Somebody else" in row.inner_text()
