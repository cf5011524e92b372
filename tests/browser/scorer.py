"""Tables of events of their own, and phones that write their games down, as a reader taps."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import count
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.service import Site

PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "locale": "en-GB",
    "reduced_motion": "reduce",
}
MAKE = """
import json
from datetime import date
from django.db import transaction
from league.core.log.services import Actor
from league.models import Club, Event, Table
from league.standings.season.services.season import season_create
from league.sheets.device.services.device import device_make
from tests.factories import events
kind, slug, people, games, rules = {made!r}
with transaction.atomic():
    club = Club.objects.get(slug="becherkeller")
    season = season_create(club=club, actor=events.ACTOR, slug=slug, name=slug, starts_on=date(2026, 9, 3), kind=kind,
                           rules=rules)
    night = events.event(season, slug, status=Event.Status.RUNNING)
    events.crowd(night, people, slug)
    events.drawn(events.stage(night, sizes=[people], games=games))
table = Table.objects.select_related("stage_round__stage__event").get(stage_round__stage__event=night)
keys = [device_make(subject=table, actor=events.ACTOR, seat=seat)[1] for seat in (None, 1)]
print(json.dumps([table.public_id, *keys]))
"""
WRITTEN = """
import json
from games.models import Game, SheetEntry
from league.models import TableGame
entries = SheetEntry.objects.filter(sheet__open_game__table_open_game__table__public_id={table!r}).order_by("number")
sealed = TableGame.objects.filter(table__public_id={table!r}).count()
print(json.dumps([[[entry.act, json.loads(entry.value)] for entry in entries], sealed]))
"""


SLUGS = (f"scorer-{number}" for number in count())
"""Of the tables that are made, one after the other, at the service of this process."""


class TableAt(NamedTuple):
    """A table of a round that is played, with the key of a scorer's phone, and of one that is the
    second seat's."""

    table: str
    key: str
    other_key: str

    def address(self, key: str = "") -> str:
        """The scorer, opened by the code of a phone."""
        return f"/score/{self.table}/#{key or self.key}"


@pytest.fixture(scope="module")
def table_of(site: Site) -> Callable[..., TableAt]:
    """Make a table of an event of its own."""

    def make(people: int = 4, kind: str = "bluff", games: int = 1, **rules: Any) -> TableAt:
        return TableAt(
            *json.loads(site.run(MAKE.format(made=(kind, next(SLUGS), people, games, rules))))
        )

    return make


def written(site: Site, at: TableAt) -> tuple[list[tuple[str, Any]], int]:
    """The entries that the server has of a table, and how many games were sealed there."""
    entries, sealed = json.loads(site.run(WRITTEN.format(table=at.table)))
    return [(act, value) for act, value in entries], sealed


class Phone:
    """A page of the scorer, and the taps on it."""

    def __init__(self, page: Page) -> None:
        self.page, self.taps = page, 0

    def button(self, name: str) -> Locator:
        """The button of exactly that name."""
        return self.page.get_by_role("button", name=name, exact=True)

    def tap(self, name: str) -> None:
        """Tap a button."""
        self.button(name).click()
        self.taps += 1

    def seat(self, place: int) -> None:
        """Tap a seat, counted from 0."""
        self.page.locator(".score-seat").nth(place).click()
        self.taps += 1

    def round(self, seat: int, bid: str, count: str) -> None:
        """Enter a round at the second depth."""
        number = self.page.locator(".score-number")
        before = number.inner_text()
        self.seat(seat)
        self.tap(bid)
        self.tap(count)
        self.tap("Done")
        expect(number).not_to_have_text(before)

    def opened(self, address: str, state: str = "All sent") -> None:
        """Open the scorer for the first time, and wait until it says that it opens without
        network."""
        self.page.goto(address)
        self.shows(state)
        self.button("More").click()
        expect(self.page.get_by_text("The page opens without a network, too")).to_be_visible()
        self.button("Back").click()

    def shows(self, state: str) -> None:
        """Wait until the badge says so."""
        expect(self.page.locator("#score-state")).to_have_text(state)
