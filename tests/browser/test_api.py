"""The page to try the API on works under the strict Content-Security-Policy: `page` fails on any
complaint about it."""

from playwright.sync_api import Page, expect

from tests.browser.conftest import sign_in


def open_operation(page: Page, name: str) -> None:
    page.goto("/api/docs/")
    page.locator(f"#operations-clubs-{name} .opblock-summary-control").click()
    page.get_by_role("button", name="Try it out").click()


def test_reading_is_tried_without_an_account(page: Page) -> None:
    open_operation(page, "list_clubs")
    page.get_by_role("button", name="Execute").click()
    expect(page.locator(".live-responses-table .highlight-code")).to_contain_text(
        '"slug": "becherkeller"'
    )


def test_who_is_signed_in_enters_games_without_a_key(page: Page, ids: dict[str, str]) -> None:
    sign_in(page, "organiser@example.org")
    record = page.request.get(f"/api/v1/games/{ids['bluff']}/record/").text()
    open_operation(page, "enter_games")
    operation = page.locator("#operations-clubs-enter_games")
    operation.get_by_placeholder("club").fill("becherkeller")
    operation.locator("textarea.body-param__text").fill(record)
    operation.get_by_role("button", name="Execute").click()
    expect(operation.locator(".live-responses-table .highlight-code")).to_contain_text(
        '"outcome": "unchanged"'
    )
