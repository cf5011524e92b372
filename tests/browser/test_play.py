"""Playing in the browser: a whole game of a host, a guest on a phone and a spectator; practice; a
game by keyboard."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import is_sound, sign_in
from tests.browser.service import Site

NEW = "/play/new/becherkeller/"
HIDE = """() => {
  Object.defineProperty(document, "hidden", { value: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""
"""Let a page believe that another one is in front of it."""
PHONE: Any = {"viewport": {"width": 360, "height": 780}, "has_touch": True}


def opened(page: Page) -> str:
    """The address of a table that the organiser has opened, with laying out."""
    sign_in(page, "organiser@example.org")
    page.goto(NEW)
    page.get_by_label("When bidding, you may lay out dice and reroll the others.").check()
    page.get_by_role("button", name="Open the table").click()
    expect(page.get_by_role("heading", name="Who’s playing")).to_be_visible()
    return page.url


def test_a_host_a_guest_on_a_phone_and_a_spectator_see_a_game_to_its_end(
    page: Page, browser: Browser
) -> None:
    address = opened(page)
    phone = browser.new_context(locale="en-GB", **PHONE).new_page()
    phone.goto(address)
    phone.get_by_label("Your name").fill("Zoë 🎲")
    phone.get_by_role("button", name="Sit down").click()
    is_sound(phone)
    spectator = browser.new_context(locale="en-GB").new_page()
    spectator.goto(address)
    expect(page.locator("#live b", has_text="Zoë 🎲")).to_be_visible()
    page.get_by_role("button", name="Begin the game").click()
    expect(spectator.get_by_role("heading", name="Round 1")).to_be_visible()
    expect(spectator.get_by_text("Under your cup")).to_have_count(0)
    for _ in range(60):
        if phone.get_by_role("heading", name="The game is over").is_visible():
            break
        actor = next((each for each in (page, phone) if each.locator("#act").is_visible()), None)
        if actor is None:
            page.wait_for_timeout(100)
            continue
        if actor.get_by_role("button", name="Cups up!").is_visible():
            actor.get_by_role("button", name="Cups up!").click()
        else:
            actor.locator("input[name=field][value='9']").check(force=True)
            actor.get_by_role("button", name="Bid", exact=True).click()
        page.wait_for_timeout(500)
    expect(spectator.get_by_role("heading", name="The game is over")).to_be_visible()
    is_sound(page)
    is_sound(phone)
    phone.context.close()
    spectator.context.close()


@pytest.mark.parametrize("context_options", [PHONE], ids=["phone"])
def test_three_clicks_from_the_first_page_lead_to_the_first_bid_of_a_practice(page: Page) -> None:
    page.goto("/")
    page.get_by_role("link", name="Play a round now").click()
    is_sound(page)
    page.get_by_role("button", name="easy").click()
    expect(page.locator("#my-dice")).to_be_visible()
    is_sound(page)
    page.get_by_role("button", name="Bid", exact=True).click()
    expect(page.locator("#my-dice")).to_be_visible()


def test_one_bids_by_keyboard_alone(page: Page) -> None:
    address = opened(page)
    page.get_by_role("button", name="steady").press("Enter")
    expect(page.get_by_role("button", name="Begin the game")).to_be_enabled()
    page.reload()  # news of one's own act would exchange the part under the key
    page.get_by_role("button", name="Begin the game").press("Enter")
    expect(page.locator("#my-dice")).to_be_visible()
    page.keyboard.press("d")
    expect(page.locator("#announce")).not_to_be_empty()
    page.keyboard.type("19x5")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Cups up!")).to_be_visible()
    assert page.url == address


def test_a_bid_that_isnt_sent_yet_is_there_on_another_device_of_the_same_account(
    page: Page, browser: Browser, site: Site
) -> None:
    address = opened(page)
    guest = browser.new_context(locale="en-GB").new_page()
    guest.goto(address)
    guest.get_by_label("Your name").fill("Zoë 🎲")
    guest.get_by_role("button", name="Sit down").click()
    expect(page.locator("#live b", has_text="Zoë 🎲")).to_be_visible()
    page.get_by_role("button", name="Begin the game").click()
    for each in (page, guest):
        expect(each.locator("#my-dice")).to_be_visible()
    if guest.locator("#act").is_visible():
        guest.get_by_role("button", name="Bid", exact=True).click()
    expect(page.locator("#act")).to_be_visible()
    page.evaluate(
        "window.setTimeout = () => 0"
    )  # nothing is sent but what the next lines make it send
    page.locator("input[name=field][value='9']").check(force=True)
    page.locator("input[name=face][value='3']").check(force=True)
    page.locator("input[name=roll]").nth(1).check(force=True)
    with page.expect_response("**/unsent/") as sent:
        page.evaluate(HIDE)
    assert sent.value.status == 204
    phone = browser.new_context(base_url=site.url, locale="en-GB", **PHONE).new_page()
    sign_in(phone, "organiser@example.org")
    phone.goto(address)
    expect(phone.locator("input[name=field][value='9']")).to_be_checked()
    expect(phone.locator("input[name=face][value='3']")).to_be_checked()
    expect(phone.locator("input[name=roll]:checked")).to_have_value("1")
    with phone.expect_response("**/unsent/"):
        phone.locator("input[name=field][value='8']").check(force=True)
    page.reload()
    expect(page.locator("input[name=field][value='8']")).to_be_checked()
    is_sound(phone)
    phone.get_by_role("button", name="Bid", exact=True).click()
    expect(guest.locator("#last-bid")).to_contain_text("8")
    for each in (guest, phone):
        each.context.close()


TOKYO: Any = {
    "viewport": {"width": 360, "height": 780},
    "has_touch": True,
    "timezone_id": "Asia/Tokyo",
}


def test_turn_by_turn_one_waits_with_a_standing_order_and_reads_the_deadline_in_ones_own_time(
    page: Page, browser: Browser
) -> None:
    sign_in(page, "organiser@example.org")
    page.goto(NEW)
    page.get_by_label("turn by turn: two days for a move").check()
    expect(page.get_by_label("Seconds for a move", exact=True)).to_be_hidden()
    page.get_by_role("button", name="Open the table").click()
    phone = browser.new_context(locale="en-GB", **TOKYO).new_page()
    phone.goto(page.url)
    expect(phone.get_by_text("Without an account, you won’t be told")).to_be_visible()
    is_sound(phone)
    phone.get_by_label("Your name").fill("Tomo")
    phone.get_by_role("button", name="Sit down").click()
    expect(page.locator("#live b", has_text="Tomo")).to_be_visible()
    page.get_by_role("button", name="Begin the game").click()
    for each in (page, phone):
        expect(each.locator("#my-dice")).to_be_visible()
    actor, waiting = (page, phone) if page.locator("#act").is_visible() else (phone, page)
    time = phone.locator("#time-left time")
    expect(time).to_have_attribute("title", "Asia/Tokyo")
    moment = time.get_attribute("datetime")
    hours = phone.evaluate("moment => new Date(moment).toTimeString().slice(0, 5)", moment)
    expect(time).to_contain_text(hours)
    waiting.get_by_text("Standing orders").click()
    waiting.get_by_label("How many").fill("2")
    waiting.get_by_label("Which face").select_option("3")
    waiting.get_by_role("button", name="Challenge from this bid on").click()
    expect(waiting.get_by_text("Cups up! from this bid on:")).to_be_visible()
    is_sound(waiting)
    expect(actor.get_by_text("from this bid on")).to_have_count(0)
    actor.locator("input[name=field][value='9']").check(force=True)
    actor.get_by_role("button", name="Bid", exact=True).click()
    for each in (page, phone):
        over = each.get_by_text("The game is over")
        expect(each.get_by_role("heading", name="Cups up!").or_(over)).not_to_have_count(0)
    page.goto("/me/games/")
    is_sound(page)
    phone.context.close()
