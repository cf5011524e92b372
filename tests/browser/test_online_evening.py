"""An evening online: players on phones come by their links, play at an online table, and the result
stands."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import is_sound, sign_in
from tests.browser.test_events import DRAWN, check_all_in, enter_list, new_event, press, shown

PHONE: Any = {"viewport": {"width": 360, "height": 780}, "has_touch": True, "locale": "de-DE"}
NAMES = ("Oda O.", "Per O.", "Ria O.")


def test_an_evening_is_played_online_and_its_result_stands(page: Page, browser: Browser) -> None:
    sign_in(page, "organiser@example.org")
    cockpit = new_event(page, "Online-Abend", 8, scoring="who finished where")
    page.goto(f"{cockpit}settings/")
    page.get_by_label("Play at online tables").check()
    page.get_by_label("Link for a call").fill("https://call.example.org/abend")
    page.get_by_role("button", name="Save settings").click()
    page.goto(f"{cockpit}stages/new/?format=swiss")
    press(page, "Plan the stage", "The stage is planned")
    enter_list(page, cockpit, NAMES)
    check_all_in(page, cockpit)
    page.goto(cockpit)
    press(page, "Start the event", "The event has started")
    expect(page.get_by_role("heading", name="Results of round 1")).to_be_visible(timeout=DRAWN)
    page.goto(f"{shown(cockpit)}stages/1/rounds/1/")
    page.locator("main a[href^='/tables/']").first.click()
    page.get_by_role("button", name="Go to the online table").click()
    expect(page.get_by_role("heading", name="Who’s playing")).to_be_visible()
    is_sound(page)
    phones = [phone_at(page, browser, name) for name in NAMES]
    for phone in phones:
        expect(phone.get_by_role("link", name="Zum Videochat")).to_be_visible()
        is_sound(phone)
        phone.get_by_role("button", name="Ich bin da").click()
    expect(page.get_by_role("heading", name="Round 1")).to_be_visible()
    play_to_the_end(page, phones)
    is_sound(phones[0])
    phones[0].get_by_role("link", name="Zurück zum Tisch des Spieltags").click()
    expect(phones[0].locator(".finishes li")).to_have_count(3)
    for phone in phones:
        phone.context.close()


def phone_at(page: Page, browser: Browser, name: str) -> Page:
    """Return a phone that has opened the link which a scorer made for a seat."""
    page.get_by_role("button", name=f"Link for this seat {name}").click()
    link = re.search(r"https?://\S+/seat/\S+", page.locator("main").inner_text())
    assert link
    phone = browser.new_context(**PHONE).new_page()
    phone.goto(link.group())
    return phone


def play_to_the_end(page: Page, phones: list[Page]) -> None:
    """Let whoever opens bid nine stars, and the next one lift the cups."""
    for _ in range(120):
        if page.get_by_role("heading", name="The game is over").is_visible():
            return
        actor = next((each for each in phones if each.locator("#act").is_visible()), None)
        if actor is None:
            page.wait_for_timeout(100)
            continue
        if actor.get_by_role("button", name="Hoch die Becher!").is_visible():
            actor.get_by_role("button", name="Hoch die Becher!").click()
        else:
            actor.locator("input[name=field][value='9']").check(force=True)
            actor.get_by_role("button", name="Bieten", exact=True).click()
        page.wait_for_timeout(400)
    expect(page.get_by_role("heading", name="The game is over")).to_be_visible()
