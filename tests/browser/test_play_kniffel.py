"""Playing Lügen-Kniffel in the browser: a whole game of a host and a guest on a phone; and a turn
by keyboard."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import is_sound, sign_in
from tests.browser.service import Site

NEW = "/play/new/becherkeller/"
PHONE: Any = {"viewport": {"width": 360, "height": 780}, "has_touch": True}
TURNS = 40
"""More than two sheets of thirteen fields take."""


def opened(page: Page) -> str:
    """The address of a table of Lügen-Kniffel that the organiser has opened."""
    sign_in(page, "organiser@example.org")
    page.goto(NEW)
    page.get_by_role("link", name="Lügen-Kniffel", exact=True).click()
    page.get_by_role("button", name="Open the table").click()
    expect(page.get_by_role("heading", name="Who’s playing")).to_be_visible()
    return page.url


def guest_at(address: str, browser: Browser, **options: Any) -> Page:
    guest = browser.new_context(locale="en-GB", **options).new_page()
    guest.goto(address)
    guest.get_by_label("Your name").fill("Zoë 🎲")
    guest.get_by_role("button", name="Sit down").click()
    return guest


def begun(page: Page) -> None:
    expect(page.locator("#live b", has_text="Zoë 🎲")).to_be_visible()
    page.get_by_role("button", name="Begin the game").click()
    expect(page.get_by_role("heading", name="Turn 1", exact=True)).to_be_visible()


def roller_of(*pages: Page) -> Page:
    """The page of the seat that rolls now."""
    roll = pages[0].get_by_role("button", name="Roll", exact=True)
    wait = pages[0].get_by_role("heading", name="Waiting for the others")
    expect(roll.or_(wait)).to_be_visible()
    roller = pages[0] if roll.is_visible() else pages[1]
    expect(roller.get_by_role("button", name="Roll", exact=True)).to_be_visible()
    return roller


def announced(page: Page) -> None:
    """Roll, and announce the first thing that the dice score, else the first that can be said."""
    page.get_by_role("button", name="Roll", exact=True).click()
    expect(page.get_by_role("button", name="Announce", exact=True)).to_be_visible()
    truth = page.locator("button[name=true_say]")
    if truth.count():
        truth.first.click()
        return
    page.locator("select[name=say]").select_option(index=1)
    page.get_by_role("button", name="Announce", exact=True).click()


def test_the_form_of_a_new_table_is_sound(page: Page) -> None:
    sign_in(page, "organiser@example.org")
    page.goto(f"{NEW}?game=luegen-kniffel")
    expect(page.get_by_label("Seats")).to_have_value("8")
    is_sound(page)


def test_a_host_and_a_guest_on_a_phone_play_a_whole_game(page: Page, browser: Browser) -> None:
    address = opened(page)
    phone = guest_at(address, browser, **PHONE)
    begun(page)
    for turn in range(TURNS):
        over = page.get_by_role("heading", name="The game is over")
        going_on = page.locator(".online-round")
        expect(over.or_(going_on).first).to_be_visible()
        if over.is_visible():
            break
        number = page.locator("#round-head").inner_text()
        roller = roller_of(page, phone)
        listener = phone if roller is page else page
        announced(roller)
        answer = listener.get_by_role(
            "button", name="Doubt" if turn == 0 else "Believe", exact=True
        )
        expect(answer).to_be_visible()
        if turn == 0:
            is_sound(listener)
        answer.click()
        for each in (page, phone):
            expect(each.get_by_role("heading", name=number, exact=True)).to_have_count(0)
        if turn == 0:
            expect(roller.get_by_role("heading", name="Cups up!")).to_be_visible()
            is_sound(roller)
            is_sound(listener)
    expect(page.get_by_role("heading", name="The game is over")).to_be_visible()
    expect(phone.get_by_role("heading", name="The game is over")).to_be_visible()
    is_sound(page)
    is_sound(phone)
    phone.context.close()


def test_what_was_tapped_stays_tapped_while_somebody_else_speaks(
    page: Page, browser: Browser
) -> None:
    address = opened(page)
    guest = guest_at(address, browser)
    begun(page)
    roller = roller_of(page, guest)
    listener = guest if roller is page else page
    roller.get_by_role("button", name="Roll", exact=True).click()
    roller.locator("input[name=keep]").nth(1).check(force=True)
    listener.get_by_text("Say something").click()
    listener.get_by_role("button", name="Do you dare?").click()
    expect(roller.locator("q", has_text="Do you dare?")).to_be_visible()
    expect(roller.locator("input[name=keep]").nth(1)).to_be_checked()
    is_sound(roller)
    guest.context.close()


def test_what_was_tapped_is_there_on_another_device_of_the_same_account(
    page: Page, browser: Browser, site: Site
) -> None:
    address = opened(page)
    guest = guest_at(address, browser)
    begun(page)
    if roller_of(page, guest) is guest:
        announced(guest)
        page.get_by_role("button", name="Believe", exact=True).click()
    page.get_by_role("button", name="Roll", exact=True).click()
    expect(page.locator("input[name=keep]")).to_have_count(5)
    with page.expect_response("**/unsent/") as kept:
        page.keyboard.press("2")
    assert kept.value.status == 204
    with page.expect_response("**/unsent/"):
        page.locator("select[name=say]").select_option("chance=20")
    phone = browser.new_context(base_url=site.url, locale="en-GB", **PHONE).new_page()
    sign_in(phone, "organiser@example.org")
    phone.goto(address)
    expect(phone.locator("input[name=keep]:checked")).to_have_value("1")
    expect(phone.locator("select[name=say]")).to_have_value("chance=20")
    phone.get_by_role("button", name="Roll again").click()
    expect(phone.locator("input[name=keep]")).to_have_count(4)
    expect(phone.locator("input[name=keep]:checked")).to_have_count(0)
    expect(phone.locator("select[name=say]")).to_have_value("")
    for each in (guest, phone):
        each.context.close()


def test_one_plays_by_keyboard_alone(page: Page, browser: Browser) -> None:
    address = opened(page)
    guest = guest_at(address, browser)
    begun(page)
    roller = roller_of(page, guest)
    listener = guest if roller is page else page
    roller.keyboard.press("r")
    expect(roller.locator("input[name=keep]")).to_have_count(5)
    roller.keyboard.press("2")
    expect(roller.locator("#announce")).to_contain_text("stays")
    expect(roller.locator("input[name=keep]").nth(1)).to_be_checked()
    roller.keyboard.press("r")
    expect(roller.locator("input[name=keep]")).to_have_count(4)
    roller.keyboard.press("d")
    expect(roller.locator("#announce")).not_to_be_empty()
    roller.keyboard.press("a")
    roller.keyboard.press("Enter")
    expect(listener.get_by_role("button", name="Doubt", exact=True)).to_be_visible()
    listener.keyboard.press("l")
    expect(listener.locator("#announce")).to_contain_text("=")
    listener.keyboard.press("c")
    expect(roller.get_by_role("heading", name="Cups up!")).to_be_visible()
    assert page.url == address
    guest.context.close()


@pytest.mark.parametrize("context_options", [{"java_script_enabled": False}])
def test_one_plays_without_javascript(page: Page, context_options: dict[str, Any]) -> None:
    opened(page)
    page.get_by_role("button", name="steady").click()
    page.get_by_role("button", name="Begin the game").click()
    roll = page.get_by_role("button", name="Roll", exact=True)
    if not roll.is_visible():
        page.get_by_role("button", name="Believe", exact=True).click()
    roll.click()
    page.locator("input[name=keep]").first.check(force=True)
    page.get_by_role("button", name="Roll again").click()
    expect(page.locator("input[name=keep]")).to_have_count(4)
    page.locator("select[name=say]").select_option("chance=20")
    page.get_by_role("button", name="Announce", exact=True).click()
    expect(page.locator(".play-last")).to_be_visible()
