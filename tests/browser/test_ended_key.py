"""A phone whose key was revoked writes on, and what it wrote is kept beside the sheet until two
seats let it in."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from time import monotonic, sleep

from playwright.sync_api import Browser, expect

from tests.browser.conftest import CHROMIUM, PATIENCE, is_sound, sign_in
from tests.browser.scorer import PHONE, Phone, TableAt, table_of, written
from tests.browser.service import Site

__all__ = ["table_of"]
PROGRAMS = CHROMIUM
ON_THE_SHEET = re.compile("It(’s| goes) on the sheet")
REVOKE = """
from league.models import TableDevice
from league.sheets.device.services.device import device_revoke
from tests.factories.events import ACTOR
devices = TableDevice.objects.select_related("device", "table__stage_round__stage__event")
device_revoke(device=devices.filter(table__public_id="{table}").order_by("pk")[0], actor=ACTOR)
"""
KEPT = """
import json
from games.models import SheetBranch
branches = SheetBranch.objects.filter(
    sheet__open_game__table_open_game__table__public_id="{table}", waits_until__isnull=False
)
print(json.dumps([len(json.loads(branch.entries)) for branch in branches]))
"""
SEAT = """
import json
from league.models import User
from league.models import Table
table = Table.objects.get(public_id="{table}")
emails = []
for seat in table.seats.order_by("seat")[:2]:
    player = seat.entry.player
    email = f"{{player.handle}}@example.org"
    player.user = User.objects.create_user(username=player.handle, email=email, password="hoch-die-becher")
    player.save()
    emails.append(email)
game = table.open_games.get().open_game.public_id
print(json.dumps([game, *emails]))
"""


def test_what_a_revoked_phone_writes_waits_for_two_seats(
    browser: Browser, site: Site, table_of: Callable[..., TableAt]
) -> None:
    at = table_of(2, dice=3)
    context = browser.new_context(base_url=site.url, **PHONE)
    phone = Phone(context.new_page())
    phone.page.goto(at.address())
    phone.shows("All sent")
    phone.round(0, "1 four", "2 dice count")
    phone.shows("All sent")
    site.run(REVOKE.format(table=at.table))
    phone.round(1, "1 four", "2 dice count")
    expect(phone.page.locator("#score-state")).to_contain_text("No key", timeout=PATIENCE)
    until = monotonic() + PATIENCE / 1000
    while not json.loads(site.run(KEPT.format(table=at.table))) and monotonic() < until:
        sleep(0.5)
    assert set(json.loads(site.run(KEPT.format(table=at.table)))) == {1}
    assert len(written(site, at)[0]) == 1
    game, *emails = json.loads(site.run(SEAT.format(table=at.table)))
    for email in emails:
        seat = browser.new_context(base_url=site.url, **PHONE).new_page()
        sign_in(seat, email)
        seat.goto(f"/open-games/{game}/")
        expect(
            seat.get_by_role("heading", name="What a phone sent after its key had ended")
        ).to_be_visible()
        is_sound(seat)
        seat.get_by_role("button", name="Yes, that’s how it went").click()
        expect(seat.get_by_text(ON_THE_SHEET).first).to_be_visible()
        seat.context.close()
    assert len(written(site, at)[0]) == 2
    context.close()
