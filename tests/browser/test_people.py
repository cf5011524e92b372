"""An organiser finds out that two players are one, and takes it back; the log tells of it."""

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import is_sound, sign_in
from tests.browser.test_access import SCREENS

CLUB = "/clubs/becherkeller/"


def of_all_players(page: Page) -> None:
    page.goto(CLUB)
    page.get_by_role("main").get_by_role("link", name="Organise", exact=True).click()
    page.get_by_role("navigation", name="Organise").get_by_role(
        "link", name="Players", exact=True
    ).click()


@pytest.mark.parametrize("context_options", SCREENS, ids=["phone, light", "desk, dark"])
def test_axe_finds_nothing_on_the_pages_of_organisers(
    page: Page, context_options: dict[str, Any]
) -> None:
    sign_in(page, "organiser@example.org")
    of_all_players(page)
    addresses = [page.url]
    page.locator("#players .row-link").first.click()
    addresses += [
        page.url,
        f"{page.url}rename/",
        f"{page.url}merge/",
        f"{page.url}erase/",
        f"{CLUB}log/",
    ]
    for address in addresses:
        page.goto(address)
        for details in page.locator("main details").all()[:3]:
            details.locator("summary").click()
        is_sound(page)


DESK = (
    "",
    "seasons/",
    "seasons/new/",
    "season/herbstliga-2026/",
    "imports/",
    "members/",
    "keys/",
    "settings/",
)


@pytest.mark.parametrize("context_options", SCREENS, ids=["phone, light", "desk, dark"])
def test_axe_finds_nothing_on_the_desk_and_what_comes_of_its_forms(
    page: Page, browser: Browser, context_options: dict[str, Any]
) -> None:
    sign_in(page, "organiser@example.org")
    for part in DESK:
        page.goto(f"{CLUB}desk/{part}")
        is_sound(page)
    page.get_by_label("Club name").fill("")
    page.evaluate("for (const form of document.forms) form.noValidate = true")
    page.get_by_role("button", name="Save settings").click()
    is_sound(page)
    page.goto(f"{CLUB}desk/members/")
    page.get_by_label("Who").fill("somebody@example.org")
    page.get_by_role("button", name="Add or invite").click()
    is_sound(page)
    link = page.locator("#secret").inner_text()
    guest = browser.new_context(**context_options).new_page()
    guest.goto(link)
    is_sound(guest)
    guest.context.close()


@pytest.mark.parametrize("context_options", [{"java_script_enabled": False}])
def test_a_season_is_begun_without_javascript(page: Page, context_options: dict[str, Any]) -> None:
    sign_in(page, "organiser@example.org")
    page.goto(f"{CLUB}desk/seasons/new/")
    page.get_by_role("link", name="Lügen-Kniffel").click()
    page.get_by_label("Name", exact=True).fill("Without scripts")
    page.get_by_text("The rules one by one").click()
    page.get_by_text("How the table counts and sorts").click()
    page.get_by_label("An announcement is true when the dice score at least its points.").check()
    page.get_by_label("Tie-break 2").select_option("games")
    page.get_by_label("Tie-break 3").select_option("wins")
    page.get_by_role("button", name="Begin the season").click()
    page.wait_for_url(f"**{CLUB}without-scripts/")
    page.locator("main summary", has_text="Rules").first.click()
    said = page.get_by_role("main").inner_text()
    assert "An announcement is true when the dice score at least its points." in said


def test_a_merge_is_looked_over_done_logged_and_undone(page: Page) -> None:
    sign_in(page, "organiser@example.org")
    of_all_players(page)
    page.locator("#players").get_by_role("link", name="Cleo", exact=True).click()
    kept = page.url
    page.get_by_role("link", name="Merge with another").click()
    page.get_by_label("The other player").fill("Arne")
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
    assert "Cleo" in row.inner_text()
    assert "Somebody else" in row.inner_text()


@pytest.mark.parametrize("context_options", SCREENS, ids=["phone, light", "desk, dark"])
def test_a_list_is_filtered_without_accents_and_a_slip_finds_who_was_meant(
    page: Page, context_options: dict[str, Any]
) -> None:
    sign_in(page, "organiser@example.org")
    of_all_players(page)
    field = page.get_by_role("main").get_by_role("searchbox")
    rows = page.locator("#players tbody tr:visible")
    field.fill("gréta")
    assert rows.count() == 1
    field.fill("Grta")
    assert rows.count() == 0
    field.press("Enter")
    suggestion = page.get_by_role("main").get_by_role("link", name="Greta")
    is_sound(page)
    suggestion.click()
    expect(page.locator("#players tbody tr:visible")).to_have_count(1)
