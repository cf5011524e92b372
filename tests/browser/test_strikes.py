"""An evening with three strikes on a phone: planned, started, and after its first round everybody
sees who has one."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import is_sound, sign_in
from tests.browser.test_events import (
    DRAWN,
    PLAYERS,
    check_all_in,
    enter_list,
    enter_results,
    new_event,
    press,
    shown,
)


@pytest.fixture
def context_options() -> dict[str, Any]:
    return {"viewport": {"width": 390, "height": 844}, "has_touch": True, "locale": "en-GB"}


def test_who_is_last_at_a_table_has_a_strike(page: Page) -> None:
    sign_in(page, "organiser@example.org")
    cockpit = new_event(page, "Strichabend", 8, scoring="who finished where")
    page.goto(f"{cockpit}stages/new/?format=strikes")
    is_sound(page)
    press(page, "Plan the stage", "The stage is planned")
    enter_list(page, cockpit, [f"{name} S." for name in PLAYERS[:3]])
    check_all_in(page, cockpit)
    page.goto(cockpit)
    press(page, "Start the event", "The event has started")
    expect(page.get_by_role("heading", name="Results of round 1")).to_be_visible(timeout=DRAWN)
    enter_results(page, tables=1)
    page.goto(cockpit)
    expect(page.get_by_role("button", name="Draw and publish")).to_be_visible()
    page.goto(f"{shown(cockpit)}stages/1/")
    assert page.locator("tbody .rank").all_inner_texts() == ["–", "–", "–"], "nobody is out yet"
    last = page.locator("tbody tr").last
    last.locator("summary").click()
    expect(last).to_contain_text("has 1 of 3 strikes")
    is_sound(page)
