"""The hall: what the projectors show changes by itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.service import Site

CLUB = "/clubs/becherkeller/events/"
TONES = """
window.tones = 0;
const create = AudioContext.prototype.createOscillator;
AudioContext.prototype.createOscillator = function () { window.tones += 1; return create.call(this); };
"""
"""Counts the tones that a page plays, and lets it play them."""
SOUND = 3
"""The tones of one sound."""
CLOCK = """
from datetime import timedelta
from django.utils import timezone
from league.models import StageRound
rounds = StageRound.objects.filter(stage__event__slug="herbstcup-2026", stage__number=2)
rounds.update(minutes={minutes}, clock_started_at={started}, clock_stopped_at=None)
"""
"""The clock of the cup's round, as if it had been started then."""
NIGHT = """
from league.models import Event, Season
from tests.factories import events
night = events.event(Season.objects.get(slug="kniffelrunde-2026"), "hall", status=Event.Status.RUNNING)
events.enter(night, events.players(night.club, 8, prefix="hall-"))
events.stage(night)
"""
DRAW = """
from django.db import transaction
from league.models import Stage
from tests.factories import events
with transaction.atomic():
    events.drawn(Stage.objects.get(event__slug="hall"))
"""
"""At once, so that the job that is called for finds it done."""


def run(site: Site, words: str) -> None:
    """Do something beside the service."""
    site.run(words)


def set_clock(site: Site, seconds_left: int) -> None:
    """Let the clock of the cup's round be so far."""
    run(
        site,
        CLOCK.format(
            minutes=60, started=f"timezone.now() - timedelta(seconds={3600 - seconds_left})"
        ),
    )


@pytest.fixture
def clock(page: Page, site: Site) -> Iterator[Page]:
    """The page of the cup's clock, with much time left."""
    set_clock(site, 3000)
    page.add_init_script(TONES)
    page.goto(f"{CLUB}herbstcup-2026/clock/")
    yield page
    run(site, CLOCK.format(minutes=None, started=None))


def left(page: Page) -> int:
    """The seconds that the clock shows."""
    minutes, seconds = page.locator(".clock").inner_text().split(":")
    return 60 * int(minutes) + int(seconds)


def test_a_clock_runs_and_is_silent_unless_asked(clock: Page, site: Site) -> None:
    before = left(clock)
    assert 0 < before <= 3000
    expect(clock.locator(".clock")).not_to_have_text(clock.locator(".clock").inner_text())
    assert left(clock) < before, "it runs down"
    set_clock(site, 15)
    expect(clock.locator(".clock")).to_have_text("Time is up", timeout=60_000)
    expect(clock.get_by_text("Finish the round of dice in progress")).to_be_visible()
    assert clock.evaluate("tones") == 0


def test_a_clock_sounds_at_its_end_for_who_asks_for_it(clock: Page, site: Site) -> None:
    button = clock.get_by_role("button", name="Sound at the end")
    expect(button).to_have_attribute("aria-pressed", "false")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    assert clock.evaluate("tones") == SOUND, "so that everybody knows how loud it is"
    set_clock(site, 15)
    expect(clock.locator(".clock")).to_have_text("Time is up", timeout=60_000)
    assert clock.evaluate("tones") == 2 * SOUND
    button.click()
    expect(button).to_have_attribute("aria-pressed", "false")
    assert clock.evaluate("tones") == 2 * SOUND


@pytest.mark.parametrize("context_options", [{"viewport": {"width": 1920, "height": 1080}}])
def test_the_hall_shows_a_new_draw_by_itself_and_its_parts_in_turn(
    page: Page, site: Site, context_options: dict[str, Any]
) -> None:
    run(site, NIGHT)
    page.clock.install()
    page.goto(f"{CLUB}hall/hall/")
    parts = page.locator("[data-hall-part]")
    expect(parts).to_have_count(1)
    expect(page.get_by_role("heading", name="Ranking")).to_be_visible()
    page.evaluate("window.loadedOnce = true")
    run(site, DRAW)
    page.clock.run_for(10_000)
    expect(parts).to_have_count(2)
    assert page.evaluate("window.loadedOnce"), "the page wasn't loaded anew"
    visible = parts.locator("visible=true")
    shown = set()
    for _ in range(2):
        expect(visible).to_have_count(1)
        shown.add(visible.locator("h2").inner_text().strip())
        page.clock.run_for(12_000)
    assert shown == {"Round 1", "Ranking"}
