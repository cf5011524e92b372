"""How many taps an evening takes on a phone, counted: a tap is one, and so is a field that is typed
into."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import complaints_of, sign_in
from tests.browser.service import Site, empty
from tests.browser.test_events import DRAWN, PLAYERS, Taps

PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "locale": "en-GB",
}
PASSWORD = "three stars and a lie"


@pytest.fixture
def context_options() -> dict[str, Any]:
    return PHONE


def type_in(taps: Taps, field: str, words: str) -> None:
    """Type something into a field of that name, which counts as a tap."""
    taps.page.locator(f"main [name={field}]").fill(words)
    taps.count += 1


def results(taps: Taps, tables: int) -> None:
    """Enter the results of a round: the first table from the cockpit, each next one from the one
    before."""
    main = taps.page.get_by_role("main")
    taps.tap("Enter a result")
    for number in range(tables):
        expect(main.get_by_role("button", name="Start again")).to_be_visible()  # taps are heeded
        title = main.get_by_role("heading", level=1).inner_text()
        people = main.locator("[data-places] .tap").all()
        for one in people[:-1]:
            one.click()
            taps.count += 1
        taps.tap("Seal now" if number == tables - 1 else re.compile("^Seal, then "))
        expect(main.get_by_role("heading", level=1)).not_to_have_text(title)


def wait_for_round(page: Page, number: int) -> None:
    expect(page.get_by_role("heading", name=f"Results of round {number}")).to_be_visible(
        timeout=DRAWN
    )


def test_the_first_evening_from_an_empty_service(browser: Browser, up: tuple[Site, str]) -> None:
    """By the way that `templates/docs/run-an-event.md` teaches, button by button."""
    site, console = up
    address = re.search(r"http://\S+/setup/\?token=\w+", console)
    assert address
    context = browser.new_context(base_url=site.url, **PHONE)
    context.set_default_timeout(15_000)
    page = context.new_page()
    complaints = complaints_of(page)
    page.goto(address[0])
    taps = Taps(page)
    for field, words in (
        ("#id_username", "wirtin"),
        ("#id_email", "wirtin@example.org"),
        ("#id_password", PASSWORD),
        ("#id_password_again", PASSWORD),
        ("#id_club-name", "Becher & Brüder"),
    ):
        page.locator(field).fill(words)
        taps.count += 1
    taps.tap("Create account and club")
    page.wait_for_url("**/desk/")
    taps.tap("Begin a season")
    taps.tap("Bluff")
    type_in(taps, "name", "Herbst")
    taps.tap("Begin the season")
    page.get_by_role("navigation", name="You are here").get_by_role(
        "link"
    ).first.click()  # the club's page
    taps.count += 1
    for name in ("Organise", "Events", "Plan an event"):
        taps.tap(name)
    taps.tap(re.compile("^One event"))
    type_in(taps, "name", "Erster Abend")
    type_in(taps, "starts_at", "2026-12-03T19:30")
    taps.tap("Plan the event")
    taps.tap("Choose a format")
    taps.tap(re.compile("^Rotating tables"))
    type_in(taps, "rounds", "3")
    taps.tap("Plan the stage")
    taps.tap("Add several at once")
    type_in(taps, "names", "\n".join(PLAYERS[:9]))
    taps.tap("Enter them")
    taps.tap("Start the event")
    for number in (1, 2, 3):
        wait_for_round(page, number)
        before = taps.count
        results(taps, 3)
        if number < 3:
            taps.tap("Draw and publish")
            assert taps.count - before <= 16
    taps.tap("Finish the stage")
    taps.tap("Finish the event")
    expect(page.get_by_text("The event is finished.")).to_be_visible()
    assert taps.count <= 70
    assert not complaints
    context.close()
    empty(site)


def test_a_cup_of_24_players_and_27_tables(page: Page) -> None:
    """Four rounds at six tables of four, then a knock-out of eight, two of each table going on, and
    its final: by the course of `templates/docs/run-an-event.md`."""
    sign_in(page, "organiser@example.org")
    taps = Taps(page)
    page.goto("/clubs/becherkeller/")
    for name in ("Organise", "Events", "Plan an event", "Bluff"):
        taps.tap(name)
    type_in(taps, "name", "Tippcup")
    type_in(taps, "starts_at", "2026-12-03T19:30")
    taps.tap("Plan the event")
    taps.tap("Choose a format")
    page.get_by_text("All other formats").click()
    taps.count += 1
    taps.tap(re.compile("^Swiss"))
    type_in(taps, "rounds", "4")
    taps.tap("Plan the stage")
    taps.tap("Plan another stage")
    taps.tap(re.compile("^Single elimination"))
    type_in(taps, "takes", "8")
    page.locator("main select[name=size]").select_option("4")
    type_in(taps, "advance", "2")
    taps.count += 1
    taps.tap("Plan the stage")
    taps.tap("Add several at once")
    type_in(taps, "names", "\n".join(f"{name} T." for name in PLAYERS[:24]))
    taps.tap("Enter them")
    taps.tap("Start the event")
    for number in (1, 2, 3, 4):
        wait_for_round(page, number)
        results(taps, 6)
        if number < 4:
            taps.tap("Draw and publish")
    taps.tap("Finish the stage")
    taps.tap(re.compile("^Start"))
    wait_for_round(page, 1)
    results(taps, 2)
    taps.tap("Draw and publish")
    wait_for_round(page, 2)
    results(taps, 1)
    taps.tap("Finish the stage")
    taps.tap("Finish the event")
    expect(page.get_by_text("The event is finished.")).to_be_visible()
    assert taps.count <= 150
