"""A cup of three clubs on a phone: who plays for which, kept apart in the first round, and the
clubs' own ranking."""

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
    new_event,
    plan,
    press,
    shown,
)

CLUBS = ("SV Ulm", "Bonn 04", "Kiel")


@pytest.fixture
def context_options() -> dict[str, Any]:
    return PHONE


def test_three_clubs_meet(page: Page) -> None:
    sign_in(page, "organiser@example.org")
    cockpit = new_event(page, "City cup", 12, scoring="who finished where")
    plan(page, cockpit, "swiss", rounds=2)
    names = [f"{name} C." for name in PLAYERS[:6]]
    enter_list(page, cockpit, names)
    page.goto(f"{cockpit}entries/")
    page.get_by_role("link", name="Clubs and towns").click()
    is_sound(page)
    for number, club in enumerate(CLUBS):
        page.get_by_label("Club or town").fill(club)
        for name in names[2 * number : 2 * number + 2]:
            page.get_by_label(name).check()
        press(page, "Save", f"2 players play for {club}.")
    is_sound(page)
    page.goto(f"{cockpit}stages/1/")
    page.get_by_label("Preferred table size").select_option("3")
    page.get_by_text("More settings").click()
    page.get_by_label("Rounds that keep players from the same club or town apart").fill("1")
    page.get_by_label("Players counted per club or town").fill("2")
    is_sound(page)
    press(page, "Save settings", "Settings saved")
    check_all_in(page, cockpit)
    page.goto(cockpit)
    press(page, "Start the event", "The event has started")
    expect(page.get_by_role("heading", name="Results of round 1")).to_be_visible(timeout=DRAWN)
    enter_results(page, tables=2)
    page.goto(f"{shown(cockpit)}stages/1/")
    clubs = page.get_by_role("table", name="Clubs and towns")
    assert sorted(
        clubs.locator("th.main").evaluate_all("rows => rows.map(row => row.firstChild.data.trim())")
    ) == [
        "Bonn 04",
        "Club or town",
        "Kiel",
        "SV Ulm",
    ]
    first = clubs.locator("tbody tr").first
    first.locator("summary").click()
    expect(first).to_contain_text("and rank 1:")
    is_sound(page)
    page.goto(shown(cockpit))
    expect(page.get_by_role("main")).to_contain_text("SV Ulm")
    is_sound(page)
