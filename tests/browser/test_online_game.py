"""Whole games at an online table: by keyboard alone, with a seat whose time runs out, and in three
languages."""

from __future__ import annotations

from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import is_sound
from tests.browser.test_table_page import begin, in_turn, opened, seated

KEYS: Final = 400
"""More keys than a game of two takes."""


def tab_to(page: Page, name: str) -> None:
    """Press Tab until the button of this name has the focus, and press it."""
    button = page.get_by_role("button", name=name, exact=True)
    for _ in range(80):
        if button.evaluate("element => element === document.activeElement"):
            page.keyboard.press("Enter")
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab doesn't lead to {name}")


def test_a_whole_game_is_played_by_keyboard_alone(page: Page) -> None:
    opened(page, guests=0)
    tab_to(page, "easy")
    expect(page.get_by_role("button", name="Begin the game")).to_be_enabled()
    tab_to(page, "Begin the game")
    over = page.get_by_role("heading", name="The game is over")
    for _ in range(KEYS):
        expect(page.locator("#act, #over-head").first).to_be_visible()
        if over.is_visible():
            break
        before = page.locator("#act input[name=key]").get_attribute("value")
        if page.locator("#act button[value=challenge]").count():
            page.keyboard.press("c")
        else:
            page.keyboard.type("2x5")
            page.keyboard.press("Enter")
        expect(page.locator(f"#act input[name=key][value='{before}']")).to_have_count(0)
    expect(over).to_be_visible()
    tab_to(page, "Play again")
    expect(page.get_by_role("heading", name="Who’s playing")).to_be_visible()


def test_a_seat_whose_time_is_up_is_waited_for_or_played_on_without(page: Page) -> None:
    address, (guest,) = opened(page, move_seconds=10, bank_seconds=0)
    browser = page.context.browser
    assert browser is not None
    third = seated(browser, address, "Third")
    begin(page, seats=3)
    late, *others = in_turn(page, guest, third)
    name = late.locator(".cups .mine b").inner_text()
    on = others[0].get_by_role("button", name="Play on without them")
    expect(on).to_be_hidden()
    expect(on).to_be_visible()
    on.click()
    expect(others[1].locator(".play-verdict")).to_contain_text(f"{name} takes no further part")
    expect(late.locator(".play-mine")).to_contain_text("You are out")
    for each in (late, others[1]):
        is_sound(each)
    for each in (guest, third):
        each.context.close()


@pytest.mark.parametrize("language", ["en", "de", "nl"])
def test_the_table_is_sound_in_each_language_on_a_phone(page: Page, language: str) -> None:
    address, _ = opened(page, guests=0)
    browser = page.context.browser
    assert browser is not None
    options: Any = {"viewport": {"width": 360, "height": 780}, "reduced_motion": "reduce"}
    reader = browser.new_context(locale=language, **options).new_page()
    reader.goto(address)
    reader.locator("[name=name]").fill("Zoë")
    reader.locator("form[action$='/sit/'] button").click()
    expect(page.locator("#live b", has_text="Zoë")).to_be_visible()
    is_sound(reader)
    begin(page)
    expect(reader.locator("#my-dice")).to_be_visible()
    expect(reader.locator("html")).to_have_attribute("lang", language)
    is_sound(reader)
    reader.context.close()
