"""Stepping through a game by keyboard, and pasting one, as people do it."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.factories.records import bluff_record, line


def test_arrows_walk_from_move_to_move_and_with_shift_from_round_to_round(page: Page, ids: dict[str, str]) -> None:
    page.goto(f"/games/{ids['bluff']}/?round=2&move=1&view=all")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#stage-head")).to_have_text("Round 2, move 2")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#stage-head")).to_have_text("Round 2, move 1")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#stage-head")).to_have_text("Round 1")
    page.keyboard.press("Shift+ArrowRight")
    expect(page.locator("#stage-head")).to_have_text("Round 2")
    page.keyboard.press("Shift+ArrowRight")
    expect(page.locator("#stage-head")).to_have_text("Round 3")
    assert "view=all" in page.url, "who looks stays chosen"


@pytest.mark.parametrize("context_options", [{"java_script_enabled": False}])
def test_a_pasted_game_is_walked_without_javascript(page: Page, context_options: dict[str, Any]) -> None:
    page.goto("/replay/")
    page.get_by_label("The game").fill(line(bluff_record(3)).decode())
    page.get_by_role("button", name="Check and replay").click()
    page.locator(".moves a").first.click()
    expect(page.locator("#stage-head")).to_contain_text("move 1")
    page.get_by_role("link", name="All cups").click()
    expect(page.locator("#stage .hidden-die")).to_have_count(0)
    page.get_by_role("link", name="A spectator").click()
    expect(page.locator("#stage .hidden-die").first).to_be_visible()


def test_the_text_of_a_game_is_copied(page: Page, ids: dict[str, str]) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"/games/{ids['bluff']}/")
    page.get_by_text("The game as text").click()
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()").startswith("cups-up notation 1")
