"""On a phone at the door: a helper who came by a code checks in and takes the money, and a wrong
tap is undone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import PATIENCE, is_sound, sign_in
from tests.browser.service import Site
from tests.browser.test_events import PHONE, enter_list, new_event, plan, press


@pytest.fixture
def context_options() -> dict[str, Any]:
    return PHONE


@pytest.fixture
def helper(browser: Browser, site: Site) -> Iterator[Page]:
    """The phone of somebody who has no role in the club but that of a player's."""
    context = browser.new_context(base_url=site.url, locale="en-GB", **PHONE)
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    sign_in(page, "arbiter@example.org")
    yield page
    context.close()


def test_a_helper_takes_the_money_at_the_door(page: Page, helper: Page) -> None:
    sign_in(page, "organiser@example.org")
    cockpit = new_event(page, "Door night", 8, scoring="who finished where")
    plan(page, cockpit, "swiss", rounds=2)
    page.goto(f"{cockpit}settings/")
    page.get_by_label("Fee").fill("5,00")
    press(page, "Save settings", "Settings saved")
    enter_list(page, cockpit, ["Anna", "Arne", "Bea"])
    page.goto(cockpit)
    expect(page.get_by_text("Not paid yet:")).to_be_visible()

    page.goto(f"{cockpit}helpers/")
    press(page, "Add or invite", "The first person to use it has the role")
    is_sound(page)
    code = page.locator("main .stat b").inner_text()

    helper.goto("/helpers/")
    helper.get_by_label("Code").fill(code.lower())
    press(helper, "Accept the role", "Your role for this event: Scorer")
    is_sound(helper)
    helper.get_by_role("link", name="Check-in").click()
    row = helper.locator("tr", has_text="Anna")
    row.get_by_role("button", name="Check in Anna").click()
    expect(row.get_by_role("button", name="Here Anna")).to_be_visible()
    pay, paid = (
        row.get_by_role("button", name="€5.00"),
        row.get_by_role("button", name="✓ Paid Anna"),
    )
    pay.click()
    expect(paid).to_be_visible()
    expect(paid).to_have_attribute("aria-pressed", "true")
    is_sound(helper)
    paid.click()
    expect(pay).to_be_visible()
    pay.click()
    expect(paid).to_be_visible()

    page.goto(f"{cockpit}fees/")
    expect(page.get_by_text("€5.00 received")).to_be_visible()
    expect(page.get_by_text("€10.00 outstanding")).to_be_visible()
    is_sound(page)
