"""A table calls the arbiter on the scorer's phone, the arbiter rules in four taps, and the table
sees it."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Browser, expect

from tests.browser.conftest import PATIENCE, is_sound, sign_in
from tests.browser.scorer import PHONE, Phone, TableAt, table_of, written
from tests.browser.service import Site

__all__ = ["table_of"]
CALLS = "/clubs/becherkeller/desk/calls/"


def test_a_table_calls_and_sees_what_the_arbiter_ruled_in_four_taps(
    browser: Browser, site: Site, table_of: Callable[..., TableAt]
) -> None:
    at = table_of(4)
    at_table = browser.new_context(base_url=site.url, **PHONE)
    in_the_hall = browser.new_context(base_url=site.url, **{**PHONE, "color_scheme": "dark"})
    arbiter = in_the_hall.new_page()
    sign_in(arbiter, "arbiter@example.org")
    arbiter.goto(CALLS)
    expect(arbiter.get_by_role("heading", name="No calls")).to_be_visible()
    is_sound(arbiter)
    phone = Phone(at_table.new_page())
    phone.page.goto(at.address())
    phone.shows("All sent")
    phone.tap("More")
    phone.tap("Call the arbiter")
    expect(phone.page.get_by_text("The arbiter has been called.")).to_be_visible()
    is_sound(phone.page)
    phone.round(0, "3 fours", "2 dice count")
    expect(phone.page.get_by_text("The arbiter has been called.")).to_be_visible()
    phone.seat(0)
    arbiter.get_by_role("link", name="Rule…").click(timeout=PATIENCE)
    is_sound(arbiter)
    arbiter.get_by_role("link", name="A miscount").click()
    is_sound(arbiter)
    arbiter.get_by_role("link", name="The round was noted wrong").click()
    is_sound(arbiter)
    arbiter.get_by_role("button", name="Confirm ruling").click()
    expect(arbiter.get_by_text("The table can see it now")).to_be_visible()
    ruled = phone.page.locator("#score-said")
    expect(ruled).to_contain_text(
        "The arbiter has ruled: A miscount (B7) – The round was noted wrong", timeout=PATIENCE
    )
    expect(ruled).to_contain_text("Amend the round to what the arbiter says")
    expect(
        phone.page.get_by_role("heading", name="What did")
    ).to_be_visible()  # what was being entered is still there
    is_sound(phone.page)
    phone.tap("OK")
    expect(ruled).to_be_empty()
    assert [act for act, _ in written(site, at)[0]] == ["call", "close", "ruling"]
    for context in (at_table, in_the_hall):
        context.close()


def test_a_call_is_taken_back_and_without_network_nobody_is_called(
    browser: Browser, site: Site, table_of: Callable[..., TableAt]
) -> None:
    at = table_of(4)
    context = browser.new_context(base_url=site.url, **PHONE)
    phone = Phone(context.new_page())
    phone.page.goto(at.address())
    phone.shows("All sent")
    phone.tap("More")
    phone.tap("Call the arbiter")
    phone.tap("Take it back")
    expect(phone.page.get_by_text("The arbiter has been called.")).to_have_count(0)
    assert [act for act, _ in written(site, at)[0]] == ["call", "call_off"]
    context.set_offline(True)
    phone.tap("More")
    phone.tap("Call the arbiter")
    expect(
        phone.page.get_by_text("so the call can’t go out. Go and get an arbiter")
    ).to_be_visible()
    is_sound(phone.page)
    context.set_offline(False)
    context.close()
