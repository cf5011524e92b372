"""Watching on a phone: what somebody writes at a table is there by itself, and the page stays as it
was otherwise."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import is_sound
from tests.browser.service import Site

PHONE = {"viewport": {"width": 390, "height": 844}}
CLUB = "/clubs/becherkeller/events/watch-night/"
NIGHT = """
from django.db import transaction
from league.models import Event, Season
from tests.factories import events
from tests.factories.sheets import Scorer
with transaction.atomic():
    night = events.event(Season.objects.get(slug="herbstliga-2026"), "watch-night", status=Event.Status.RUNNING)
    events.enter(night, events.players(night.club, 8, prefix="w"))
    table = events.drawn(events.stage(night)).tables.order_by("number")[0]
    Scorer(table).bid("2x4")
    print(table.public_id)
"""
WRITE = """
from league.models import Table
from tests.factories.sheets import Scorer
scorer = Scorer(Table.objects.get(public_id="{table}"))
{entry}
"""


@pytest.mark.parametrize("context_options", [PHONE], ids=["phone"])
def test_who_watches_sees_an_entry_without_asking_for_anything(
    site: Site, page: Page, context_options: dict[str, Any]
) -> None:
    table = site.run(NIGHT).split()[-1]

    def write(entry: str) -> None:
        site.run(WRITE.format(table=table, entry=entry))

    page.goto(f"/tables/{table}/live/")
    expect(page.locator("[data-live-dot][data-state=on]")).to_be_visible()
    expect(page.locator("#live-now .live-word")).to_contain_text("2")
    page.evaluate("window.loadedOnce = true")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    write('scorer.bid("3x4")')
    expect(page.locator("#announce")).to_contain_text("3 fours")
    expect(page.locator("#live-now .live-word")).to_contain_text("3")
    write('scorer.add("close", moves=["2x4", "3x4", "!"], count=1)')
    expect(page.locator("#live-rounds li")).to_have_count(1)
    expect(page.locator("#live-rounds li")).to_contain_text("loses 2 dice")
    assert set(asked) == {page.url}, "the page fetches its own part, and nothing else"
    assert page.evaluate("window.loadedOnce"), "the page wasn't loaded anew"
    is_sound(page)
    page.get_by_role("link", name="All live tables").click()
    expect(page.locator(f"#live-{table}")).to_contain_text("Round 2")
    page.evaluate("window.loadedOnce = true")
    write("scorer.lose(0, 5)")
    expect(page.locator(f"#live-{table}")).to_contain_text("out")
    assert page.evaluate("window.loadedOnce")
    is_sound(page)
