"""Two divisions of a season side by side on a phone: one check-in, tables numbered through, each
ranked by itself."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import is_sound, sign_in
from tests.browser.test_events import (
    DRAWN,
    PHONE,
    PLAYERS,
    check_all_in,
    enter_list,
    enter_results,
    press,
    shown,
)


@pytest.fixture
def context_options() -> dict[str, Any]:
    return PHONE


def test_two_divisions_play_side_by_side(page: Page) -> None:
    sign_in(page, "organiser@example.org")
    page.goto("/clubs/becherkeller/desk/seasons/new/?kind=bluff")
    page.get_by_label("Name", exact=True).fill("Klassenliga")
    page.get_by_label("Starts on").fill("2026-11-01")
    page.get_by_label("who finished where").check()
    press(page, "Begin the season", "The season is ready")
    page.goto("/clubs/becherkeller/desk/events/new/?season=klassenliga")
    page.get_by_label("Name", exact=True).fill("Klassenabend")
    page.get_by_label("Begins").fill("2026-12-03T19:30")
    press(page, "Plan the event", "The event is ready")
    cockpit = page.url
    names = [f"{name}-K" for name in PLAYERS[:7]]
    enter_list(page, cockpit, names)

    page.goto(f"{cockpit}stages/new/?format=swiss")
    expect(page.get_by_label("Play in the season’s divisions")).to_have_count(0)
    page.goto("/clubs/becherkeller/desk/season/klassenliga/divisions/")
    for number, (name, handles) in enumerate(
        (("Erste", names[:4]), ("Zweite", names[4:])), start=1
    ):
        page.locator(f"[name=name{number}]").fill(name)
        page.locator(f"[name=players{number}]").fill("\n".join(handles))
    press(page, "Save", "The divisions are saved")
    is_sound(page)
    page.goto(f"{cockpit}stages/new/?format=swiss")
    page.get_by_label("Play in the season’s divisions").check()
    page.locator("[name=rounds]").fill("1")
    is_sound(page)
    press(page, "Plan the stage", "The stage is planned")

    check_all_in(page, cockpit)
    page.goto(cockpit)
    expect(page.get_by_text("7 players are checked in (Erste 4, Zweite 3)")).to_be_visible()
    is_sound(page)
    press(page, "Start the event", "The event has started")
    expect(page.get_by_role("heading", name="Results of round 1")).to_be_visible(timeout=DRAWN)
    page.goto(f"{shown(cockpit)}hall/")
    titles = [title.strip() for title in page.locator("h2").all_inner_texts()]
    assert titles == ["Round 1", "Ranking Erste", "Ranking Zweite"]
    expect(page.get_by_text("Table 2", exact=True)).to_be_visible()
    page.goto(cockpit)
    enter_results(page, tables=2)
    page.goto(f"{shown(cockpit)}stages/1/")
    assert page.locator("main section.card h2").all_inner_texts() == ["Erste", "Zweite"]
    assert page.locator("tbody .rank").all_inner_texts() == ["1", "2", "3", "4", "1", "2", "3"]
    is_sound(page)
