"""An arbiter finds a game after signing in, corrects it, and everybody sees what changed: on a
phone, with and without JavaScript."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import is_sound, sign_in

PHONE = {"viewport": {"width": 390, "height": 844}}
DESK = {"viewport": {"width": 1280, "height": 900}, "color_scheme": "dark"}
SEASON = "/clubs/becherkeller/herbstliga-2026/"


def with_seats_swapped(text: str) -> str:
    """The same game, the first two players in each other's place."""
    line = re.search(r"^Seats: (\w+), (\w+)", text, re.MULTILINE)
    assert line
    first, second = line.groups()
    other = {first: second, second: first}
    return re.sub(rf"\b({first}|{second})\b", lambda name: other[name[0]], text)


@pytest.mark.parametrize("context_options", [PHONE, DESK], ids=["phone, light", "desk, dark"])
def test_the_whole_way_of_a_correction(page: Page, context_options: dict[str, Any]) -> None:
    sign_in(page, "arbiter@example.org")
    page.goto("/")
    is_sound(page)
    expect(page.locator("section[aria-labelledby='work-games'] li a").first).to_be_visible()
    page.goto(
        f"{SEASON}games/?page=2"
    )  # on the first page may be what was entered by hand meanwhile
    page.locator("main a[href^='/games/']").nth(5 if context_options is PHONE else 6).click()
    page.get_by_role("link", name="Correct this game").click()
    game = page.url.removesuffix("correct/")
    text = page.get_by_label("The game").input_value()

    page.get_by_label("The game").fill(text.replace(" !", " 1x1 !", 1))
    page.get_by_label("Reason").fill("Two seats were mixed up.")
    page.get_by_role("button", name="Preview changes").click()
    expect(page.get_by_role("alert")).to_contain_text(re.compile(r"Line \d+, column \d+ · Round 1"))
    is_sound(page)

    page.get_by_label("The game").fill(with_seats_swapped(text))
    page.get_by_role("button", name="Preview changes").click()
    expect(page.locator("#preview")).to_contain_text("Seat 1")
    expect(page.locator("#preview")).to_contain_text("Herbstliga 2026")
    is_sound(page)
    page.get_by_role("button", name="Confirm the correction").dblclick()
    expect(page).to_have_url(re.compile(rf"/games/(?!{game.rsplit('/', 2)[1]})\w+/$"))
    expect(page.get_by_role("link", name="Show the difference").first).to_be_visible()
    is_sound(page)
    page.get_by_role("link", name="Show the difference").first.click()
    expect(page.get_by_role("main")).to_contain_text("Two seats were mixed up.")
    is_sound(page)

    page.goto(game)
    expect(page.get_by_role("main")).to_contain_text("This game was corrected")
    is_sound(page)
    page.goto("/")
    expect(page.locator("section[aria-labelledby='work-corrections']")).to_contain_text(
        "Two seats were mixed up."
    )


@pytest.mark.parametrize(
    "context_options", [PHONE | {"java_script_enabled": False}], ids=["phone, no JavaScript"]
)
def test_it_works_without_javascript(page: Page, context_options: dict[str, Any]) -> None:
    sign_in(page, "organiser@example.org")
    page.goto(f"{SEASON}games/")
    page.locator("main a[href^='/games/']").last.click()
    page.get_by_role("link", name="Correct this game").click()
    text = page.get_by_label("The game").input_value()
    page.get_by_label("The game").fill(with_seats_swapped(text))
    page.get_by_label("Reason").fill("Two seats were mixed up.")
    page.get_by_role("button", name="Preview changes").click()
    page.get_by_role("button", name="Confirm the correction").click()
    expect(page.locator("body")).to_contain_text("The game is corrected.")
    expect(page.get_by_role("link", name="Show the difference").first).to_be_visible()
