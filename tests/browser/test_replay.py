"""Stepping through a game by keyboard, and pasting one, as people do it."""

import json
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from league.records.replay.web import pack
from tests.factories.records import bluff_record, gifts, line


def test_arrows_walk_from_move_to_move_and_with_shift_from_round_to_round(
    page: Page, ids: dict[str, str]
) -> None:
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


def test_a_whole_game_is_stepped_through_by_keyboard(page: Page, ids: dict[str, str]) -> None:
    page.goto(f"/games/{ids['bluff']}/?round=1&move=1")
    rounds = page.locator("#stage [data-stepper] a").count()
    page.evaluate("window.loadedOnce = true")
    answers: list[int] = []
    page.on("requestfinished", lambda request: answers.append(request.sizes()["responseBodySize"]))
    page.locator("#step-next").focus()
    while page.locator("#step-next").count():
        before = page.locator("#stage").get_attribute("data-here")
        page.keyboard.press("ArrowRight")
        expect(page.locator("#stage")).not_to_have_attribute("data-here", before or "")
        expect(page.locator("#announce")).to_have_text(
            page.locator("#stage").get_attribute("data-say") or ""
        )
        if page.locator("#step-next").count():
            expect(page.locator("#step-next")).to_be_focused()
    expect(page.locator("#stage-head")).to_have_text(f"Round {rounds}")
    expect(page.locator("#stage-head")).to_be_focused()
    assert page.evaluate("window.loadedOnce"), "the page wasn't loaded anew"
    assert len(answers) > rounds
    assert max(answers) < 16_000, "a step is a few kB"
    page.keyboard.press("Shift+ArrowLeft")
    expect(page.locator("#stage-head")).to_have_text(f"Round {rounds - 1}")
    page.go_back()
    expect(page.locator("#stage-head")).to_have_text(f"Round {rounds}")
    page.reload()
    expect(page.locator("#stage-head")).to_have_text(f"Round {rounds}")


def test_a_game_of_luegen_kniffel_is_stepped_through_by_keyboard(
    page: Page, ids: dict[str, str]
) -> None:
    page.goto(f"/games/{ids['kniffel']}/?turn=1")
    turns = page.locator("#stage [data-stepper] a").count()
    page.evaluate("window.loadedOnce = true")
    for turn in range(2, turns + 1):
        page.keyboard.press("ArrowRight")
        expect(page.locator("#stage-head")).to_have_text(f"Turn {turn}")
        expect(page.locator("#announce")).to_contain_text(f"Turn {turn}: ")
        expect(page.locator(".laps .now")).to_have_attribute("data-at", str(turn))
    assert page.evaluate("window.loadedOnce"), "the page wasn't loaded anew"


def test_a_long_game_is_stepped_through_from_section_to_section(page: Page) -> None:
    address = f"/replay/{pack(json.dumps(gifts(130)))}/"
    page.goto(f"{address}?round=60&view=all")
    page.evaluate("window.loadedOnce = true")
    page.locator("#step-next").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#stage-head")).to_have_text("Round 61, move 1")
    expect(page.locator("#step-next")).to_be_focused()
    expect(page.locator("#announce")).to_contain_text("Round 61, move 1: ")
    expect(page.locator("#all")).to_have_text("Rounds 61 to 120")
    expect(page.locator(".bleed th.now")).to_have_text("61")
    assert "view=all" in page.url
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#stage-head")).to_have_text("Round 60")
    expect(page.locator("#all")).to_have_text("Rounds 1 to 60")
    expect(page.locator("#step-next")).to_be_focused()
    expect(page.locator("#announce")).to_contain_text("Round 60: bid ")
    page.get_by_role("link", name="121–130").click()
    expect(page.locator("#all")).to_have_text("Rounds 121 to 130")
    page.go_back()
    expect(page.locator("#all")).to_have_text("Rounds 1 to 60")
    expect(page.locator("#stage-head")).to_have_text("Round 60")
    assert page.evaluate("window.loadedOnce"), "the page wasn't loaded anew"


def test_keys_pressed_in_haste_lose_no_step(page: Page, ids: dict[str, str]) -> None:
    page.goto(f"/games/{ids['bluff']}/?round=1&move=1")
    for _ in range(3):
        page.keyboard.press("Shift+ArrowRight")
    expect(page.locator("#stage-head")).to_have_text("Round 4")


def test_arrows_in_a_field_move_its_cursor_alone(page: Page) -> None:
    page.goto("/replay/")
    page.get_by_label("The game").fill(line(bluff_record(3)).decode())
    page.get_by_role("button", name="Check and replay").click()
    address = page.url
    page.locator("textarea").focus()
    page.keyboard.press("ArrowLeft")
    page.locator("h1").click()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#stage-head")).to_contain_text("move")
    assert page.url != address
    page.go_back()
    expect(page).to_have_url(address)


def test_what_was_chosen_on_the_stage_stays_chosen_around_it(
    page: Page, ids: dict[str, str]
) -> None:
    page.goto(f"/games/{ids['bluff']}/?round=2&move=1")
    page.get_by_role("link", name="All cups").click()
    expect(page.locator("#stage .hidden-die")).to_have_count(0)
    expect(page.get_by_role("link", name="All cups")).to_be_focused()
    page.locator(".bleed tbody tr").first.locator("a").nth(2).click()
    expect(page.locator("#stage-head")).to_have_text("Round 3")
    expect(page.locator("#stage-head")).to_be_focused()
    assert "view=all" in page.url
    expect(page.locator(".bleed th.now")).to_have_text("3")


def test_a_game_leads_to_the_next_one_and_back(page: Page, ids: dict[str, str]) -> None:
    page.goto(f"/games/{ids['bluff']}/")
    page.get_by_role("link", name="Next game").click()
    page.get_by_role("link", name="Previous game").click()
    page.wait_for_url(f"**/games/{ids['bluff']}/")


@pytest.mark.parametrize("context_options", [{"java_script_enabled": False}])
def test_a_pasted_game_is_walked_without_javascript(
    page: Page, context_options: dict[str, Any]
) -> None:
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
    page.locator("[data-copy=notation]").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()").startswith("cups-up notation 1")
