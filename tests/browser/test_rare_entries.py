"""All that seldom happens at a table is tapped, too: who opens by the roll, a void round, an
amendment, a seat that leaves, and time that is up."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import CHROMIUM, is_sound
from tests.browser.scorer import PHONE, Phone, TableAt, table_of, written
from tests.browser.service import Site

__all__ = ["table_of"]
PROGRAMS = CHROMIUM


@pytest.fixture
def context_options() -> dict[str, Any]:
    return PHONE


def rare(phone: Phone, what: str) -> None:
    """Choose something behind *More*."""
    phone.tap("More")
    phone.tap(what)


def confirmed(phone: Phone) -> None:
    """Say yes to what the scorer asks."""
    is_sound(phone.page)
    phone.tap("Yes, that’s right")
    phone.shows("All sent")


def test_what_seldom_happens_is_an_entry_like_any_other(
    page: Page, site: Site, table_of: Callable[..., TableAt]
) -> None:
    at = table_of(4)
    page.goto(at.address())
    phone = Phone(page)
    phone.shows("All sent")
    rare(phone, "Who opens the game?")
    phone.seat(2)
    confirmed(phone)
    phone.round(2, "7 fours", "5 dice count")
    rare(phone, "The round is void")
    confirmed(phone)
    phone.round(
        1, "5 threes", "4 dice count"
    )  # a void round is played again before time can be up (B20)
    rare(phone, "Amend an earlier round")
    page.locator(".score-seat", has_text="7").click()
    expect(page.locator(".score-number")).to_contain_text("Round 1")
    phone.seat(2)
    for name in ("7 fours", "6 dice count", "Why are you amending it?", "Miscounted"):
        phone.tap(name)
    phone.shows("All sent")
    rare(phone, "Somebody leaves")
    phone.seat(0)
    confirmed(phone)
    rare(phone, "Time is up")
    confirmed(phone)
    expect(page.get_by_role("heading", name="The game is over")).to_be_visible()
    phone.tap("Seal the game")
    expect(page.get_by_role("heading", name="The game is sealed")).to_be_visible()
    entries, sealed = written(site, at)
    assert [
        (act, value.get("forfeit") or value.get("void") or value.get("ended"))
        for act, value in entries
    ] == [
        ("opener", None),
        ("close", None),
        ("close", True),
        ("close", None),
        ("amend", None),
        ("close", [0]),
        ("close", "clock"),
    ]
    assert entries[4][1]["round"]["count"] == 6
    assert sealed == 1


def test_time_that_is_up_within_a_round_of_turns_ends_with_the_last_whole_one(
    page: Page, site: Site, table_of: Callable[..., TableAt]
) -> None:
    at = table_of(3, kind="luegen-kniffel")
    page.goto(at.address())
    phone = Phone(page)
    phone.shows("All sent")
    turns = [("fours", "4"), ("fours", "8"), ("fours", "12"), ("ones", "2"), ("ones", "3")]
    for number, turn in enumerate(turns, start=1):
        for name in (*turn, "Nobody doubts"):
            phone.tap(name)
        expect(page.locator(".score-number")).to_have_text(f"Turn {number + 1}")
    rare(phone, "Time is up")
    expect(
        page.get_by_text("Not everybody has had the same number of turns. Still to roll:")
    ).to_be_visible()
    is_sound(page)
    phone.tap("End after the last full round")
    expect(page.get_by_role("heading", name="The game is over")).to_be_visible()
    phone.shows("All sent")
    acts = [
        (act, value.get("number"), value.get("reason"), value.get("ended"))
        for act, value in written(site, at)[0]
    ]
    assert acts[5:] == [
        ("amend", 5, "time_up", None),
        ("amend", 4, "time_up", None),
        ("close", None, None, "clock"),
    ]
    phone.tap("Seal the game")
    expect(page.get_by_role("heading", name="The game is sealed")).to_be_visible()
    assert written(site, at)[1] == 1
