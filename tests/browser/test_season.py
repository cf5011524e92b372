"""The table of a season, as people use it."""

from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import is_sound
from tests.browser.service import Site
from tests.factories.records import bluff_record, line

SEASON = "/clubs/becherkeller/herbstliga-2026/"


def test_an_open_table_changes_by_itself_when_a_game_comes_in(site: Site, page: Page) -> None:
    page.goto(SEASON)
    newcomer = page.locator("table.ledger tbody tr", has_text="newcomer-of-the-evening")
    expect(page.locator("table.ledger tbody tr").first).to_be_visible()
    expect(newcomer).to_have_count(0)
    page.evaluate("window.loadedOnce = true")
    record = bluff_record(
        1,
        id="browser-1",
        seats=["rosa", "newcomer-of-the-evening"],
        played_at="2026-11-17T20:00:00+01:00",
    )
    site.manage(
        "import_games", "-", "--club=becherkeller", "--season=herbstliga-2026", stdin=line(record)
    )
    expect(newcomer).to_have_count(1)
    assert page.evaluate("window.loadedOnce"), "the page wasn't loaded anew"


def test_a_page_that_tells_of_work_asks_again_until_it_is_done(page: Page) -> None:
    def at_work(route: Route) -> None:
        answer = route.fetch()
        line = '<div id="live"><p data-live-again="2">Games are being counted</p>'
        headers = {name: value for name, value in answer.headers.items() if name != "etag"}
        route.fulfill(
            status=200, headers=headers, body=answer.text().replace('<div id="live">', line)
        )

    page.route(f"**{SEASON}", at_work, times=1)
    answer = page.goto(SEASON)
    assert answer
    assert "data-live-again" in answer.text()
    page.evaluate("window.loadedOnce = true")
    expect(page.locator("[data-live-again]")).to_have_count(0)
    assert page.evaluate("window.loadedOnce"), "the page wasn't loaded anew"


def test_a_number_opens_what_it_is_made_of_down_to_the_dice(page: Page) -> None:
    page.goto(SEASON)
    points = (
        page.locator("table.ledger tbody tr", has_text="Jonas").locator("a", has_text="499").first
    )
    points.click()
    expect(page.locator("main")).to_contain_text("499")
    page.locator("main a[href^='/games/']").last.click()
    page.wait_for_url("**/games/**")
    expect(page.locator("main svg.die, main .die").first).to_be_visible()


@pytest.mark.parametrize("context_options", [{"viewport": {"width": 390, "height": 844}}])
def test_a_row_on_a_phone_shows_two_figures_and_the_rest_on_tap(
    page: Page, context_options: dict[str, Any]
) -> None:
    page.goto(SEASON)
    row = page.locator("table.ledger tbody tr", has_text="Jonas")
    figures = row.locator("td.n:visible")
    expect(figures).to_have_count(2)
    row.locator("summary").click()
    expect(figures).to_have_count(7)
    is_sound(page)
    row.locator("summary").click()
    expect(figures).to_have_count(2)


def test_search_finds_a_player(page: Page) -> None:
    page.goto(SEASON)
    page.get_by_placeholder("Find a player").fill("karl")
    page.keyboard.press("Enter")
    expect(page.locator("table.ledger tbody tr:visible")).to_have_count(1)


def test_who_types_a_name_that_nobody_has_is_told(page: Page) -> None:
    page.goto(SEASON)
    search = page.get_by_placeholder("Find a player")
    search.press_sequentially("zzz")
    expect(page.get_by_text("No player is called “zzz”.").first).to_be_visible()
    search.fill("")
    expect(page.locator("[data-filter-none]")).to_be_hidden()


@pytest.mark.parametrize("context_options", [{"viewport": {"width": 390, "height": 844}}])
def test_a_phone_sorts_by_every_column_and_shows_its_figures(
    page: Page, context_options: dict[str, Any]
) -> None:
    page.goto(SEASON)
    for name in (
        "Rank",
        "Player",
        "Games",
        "Wins",
        "Points",
        "Per game",
        "Ø rank",
        "Best",
        "Rating",
    ):
        column = page.locator("thead").get_by_role("link", name=name, exact=True)
        box = column.bounding_box()
        assert box
        assert 0 <= box["x"] <= box["x"] + box["width"] <= 390
        column.click()
        sorted_by = page.locator("thead [aria-sort]")
        expect(sorted_by).to_have_text(name)
        sign = sorted_by.locator("a").evaluate("link => getComputedStyle(link, '::after').opacity")
        assert sign == "1"
        cells = page.locator("#table tbody tr").first.locator("td, th")
        cell = cells.nth(
            page.locator("thead th").evaluate_all("heads => heads.findIndex(head => head.ariaSort)")
        )
        expect(cell).to_be_visible()
        assert cell.inner_text().strip()
    assert not page.evaluate(
        "document.documentElement.scrollWidth > document.documentElement.clientWidth"
    )


@pytest.mark.parametrize("context_options", [{"java_script_enabled": False}])
def test_the_table_reads_and_sorts_without_javascript(
    page: Page, context_options: dict[str, Any]
) -> None:
    page.goto(SEASON)
    assert page.locator("table.ledger tbody tr").count() >= 28
    page.get_by_role("link", name="Wins").first.click()
    wins = [
        int(cell) for cell in page.locator("table.ledger tbody td:nth-child(4)").all_inner_texts()
    ]
    assert wins == sorted(wins, reverse=True)
    page.goto(f"{SEASON}?q=karla")
    assert page.locator("table.ledger tbody tr").count() == 1
