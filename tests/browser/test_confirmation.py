"""Who confirms a game on phones: another one than the writer, an arbiter, or two who wrote it
unseen."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Browser, expect

from tests.browser.conftest import CHROMIUM, PATIENCE, is_sound
from tests.browser.scorer import PHONE, Phone, TableAt, table_of, written
from tests.browser.service import Site

__all__ = ["table_of"]
PROGRAMS = CHROMIUM
FORGET = """() => new Promise((done) => {
  const opening = indexedDB.open("cups-up-score", 1);
  opening.onsuccess = () => {
    const change = opening.result.transaction("games", "readwrite");
    change.objectStore("games").clear();
    change.oncomplete = done;
  };
})"""
"""Let a phone forget what it wrote, and keep its key."""
CONFIRMED = """
from league.events.event.services import event_change
from league.models import Event
from tests.factories.events import ACTOR
event = Event.objects.get(stages__stage_rounds__tables__public_id="{table}")
event_change(event=event, actor=ACTOR, confirmation="{setting}")
"""
"""As organisers do it: what a phone asks for anew is as it was, unless the club's log says
otherwise."""


def test_the_phone_that_wrote_waits_and_another_one_confirms(
    browser: Browser, site: Site, table_of: Callable[..., TableAt]
) -> None:
    at = table_of(2, dice=1)
    site.run(CONFIRMED.format(table=at.table, setting="seat"))
    contexts = [browser.new_context(base_url=site.url, **PHONE) for _ in range(2)]
    one, other = (Phone(context.new_page()) for context in contexts)
    for phone, key in ((one, at.key), (other, at.other_key)):
        phone.page.goto(at.address(key))
        phone.shows("All sent")
    one.seat(0)
    for name in ("1 four", "2 dice count", "Done"):
        one.tap(name)
    expect(
        one.page.get_by_text("Now a player who wrote none of it has to confirm it")
    ).to_be_visible()
    expect(one.page.get_by_text("Was this the whole game?")).to_be_visible()
    expect(one.button("Confirm and seal")).to_have_count(0)
    is_sound(one.page)
    expect(other.page.get_by_role("heading", name="The game is over")).to_be_visible(
        timeout=PATIENCE
    )
    is_sound(other.page)
    assert written(site, at)[1] == 0
    other.tap("Confirm and seal")
    for phone in (other, one):
        expect(phone.page.get_by_role("heading", name="The game is sealed")).to_be_visible(
            timeout=PATIENCE
        )
    assert written(site, at)[1] == 1
    for context in contexts:
        context.close()


def test_a_phone_that_may_not_confirm_is_told_so_whatever_it_has_forgotten(
    browser: Browser, site: Site, table_of: Callable[..., TableAt]
) -> None:
    at = table_of(2, dice=1)
    site.run(CONFIRMED.format(table=at.table, setting="arbiter"))
    context = browser.new_context(base_url=site.url, **PHONE)
    page = context.new_page()
    page.goto(at.address())
    phone = Phone(page)
    phone.seat(0)
    for name in ("1 four", "2 dice count", "Done"):
        phone.tap(name)
    expect(
        page.get_by_text("Now an arbiter or organiser of the event has to sign in")
    ).to_be_visible()
    expect(page.locator(".score-foot .btn-huge")).to_have_count(0)
    site.run(CONFIRMED.format(table=at.table, setting="seat"))
    page.reload()
    expect(page.get_by_text("Now a player who wrote none of it has to confirm it")).to_be_visible()
    page.evaluate(FORGET)
    page.reload()
    phone.tap("Confirm and seal")
    expect(page.get_by_text("Now a player who wrote none of it has to confirm it")).to_be_visible()
    assert written(site, at)[1] == 0
    context.close()


def test_two_write_unseen_and_the_game_is_sealed_once_they_agree(
    browser: Browser, site: Site, table_of: Callable[..., TableAt]
) -> None:
    at = table_of(2, dice=1)
    site.run(CONFIRMED.format(table=at.table, setting="double"))
    contexts = [browser.new_context(base_url=site.url, **PHONE) for _ in range(3)]
    one, other = (Phone(context.new_page()) for context in contexts[:2])
    reader = contexts[2].new_page()
    for phone, key in ((one, at.key), (other, at.other_key)):
        phone.page.goto(at.address(key))
        phone.shows("All sent")
    reader.goto(f"/tables/{at.table}/live/")
    expect(reader.get_by_role("heading", name="Being played")).to_be_visible()
    is_sound(reader)
    for phone, bid in ((one, "1 four"), (other, "1 five")):
        phone.seat(0)
        for name in (bid, "2 dice count", "Done"):
            phone.tap(name)
        expect(phone.button("Hand in this sheet")).to_be_visible()
        is_sound(phone.page)
        if phone is one:
            phone.tap("Hand in this sheet")
            expect(phone.page.get_by_text("Handed in. It will be compared")).to_be_visible()
            expect(phone.page.get_by_role("button", name="Undo")).to_have_count(0)
            is_sound(phone.page)
            expect(reader.get_by_role("heading", name="Being played")).to_be_visible()
    other.tap("Hand in this sheet")
    for phone in (other, one):
        expect(phone.page.get_by_role("heading", name="The two sheets differ")).to_be_visible(
            timeout=PATIENCE
        )
        is_sound(phone.page)
    expect(reader.get_by_role("heading", name="The game is over")).to_be_visible(timeout=PATIENCE)
    reader.get_by_role("link", name="How it was written down").click()
    expect(reader.get_by_role("heading", name="The two sheets differ")).to_be_visible()
    is_sound(reader)
    assert written(site, at)[1] == 0
    other.page.locator(".score-compared .score-seat").click()
    other.seat(0)
    for name in ("1 four", "2 dice count", "Why are you amending it?", "Misheard"):
        other.tap(name)
    other.shows("All sent")
    other.tap("Hand in this sheet")
    for phone in (other, one):
        expect(phone.page.get_by_role("heading", name="The game is sealed")).to_be_visible(
            timeout=PATIENCE
        )
    assert written(site, at)[1] == 1
    for context in contexts:
        context.close()
