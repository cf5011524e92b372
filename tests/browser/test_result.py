"""A result is tapped in on a phone, in German, and a wrong one corrected by tapping, from the
table's page."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import is_sound, sign_in
from tests.browser.service import Site

POINTS = ("", "16", "12", "7")
"""What can be of four seats; the winner's follow."""

PLACES_ALONE = """
from django.db import transaction
from league.models import Event, Season
from tests.factories import events
night = events.event(Season.objects.get(slug="freier-abend"), "by-taps", status=Event.Status.RUNNING)
events.enter(night, events.players(night.club, 4, prefix="tap-"))
with transaction.atomic():
    made = events.drawn(events.stage(night, sizes=[4]))
print(made.tables.get().public_id)
"""
"""Draws a table of four whose places alone count, and prints its id."""


@pytest.fixture
def context_options() -> dict[str, Any]:
    return {"viewport": {"width": 390, "height": 844}, "locale": "de-DE"}


def test_a_result_is_tapped_in_and_corrected_by_tapping(
    page: Page, site: Site, ids: dict[str, str]
) -> None:
    sign_in(page, "organiser@example.org")
    page.goto(f"/tables/{ids['open_table']}/")
    page.get_by_role("link", name="Ergebnis eintragen").click()
    expect(page.get_by_role("button", name="Von vorn beginnen")).to_be_visible()  # taps are heeded
    names = page.locator(".tap").filter(visible=True)
    people = names.count()
    for seat in range(people):
        names.nth(seat).click()
    for seat, points in enumerate(POINTS[:people]):
        page.get_by_label("Punkte", exact=True).nth(seat).fill(points)
    is_sound(page)
    page.get_by_text("Die Zeit war um: Wer hatte noch Würfel?").click()
    page.get_by_text("Tag und Uhrzeit", exact=True).click()
    is_sound(page)
    page.get_by_role("button", name="Prüfen").click()
    expect(page.get_by_role("main")).to_contain_text("Gespielt am")
    expect(page.locator(".finishes .n").first).to_have_text("20 Würfel")
    is_sound(page)
    page.get_by_role("button", name="Ergebnis versiegeln").click()
    expect(page.get_by_role("main")).to_contain_text("Das Ergebnis ist da")

    page.goto(f"/tables/{ids['open_table']}/")
    page.get_by_role("link", name="Berichtigen …").click()
    places = page.locator("[data-places] select")
    expect(places.first).to_have_value("1")
    is_sound(page)
    places.nth(0).select_option("2")
    places.nth(1).select_option("1")
    fields = page.get_by_label("Punkte", exact=True)
    fields.nth(0).fill("16")
    fields.nth(1).fill("20")
    page.get_by_label("Grund").first.fill("Zwei Plätze vertauscht.")
    page.get_by_role("button", name="Zeigen, was sich ändert").first.click()
    preview = page.locator("#preview")
    expect(preview).to_contain_text("Platz in der Partie")
    is_sound(page)
    page.get_by_role("button", name="Berichtigung bestätigen").click()
    expect(page.get_by_role("main")).to_contain_text("Die Partie ist berichtigt")
    is_sound(page)


def test_names_take_places_in_the_order_of_taps_and_give_them_back(page: Page, site: Site) -> None:
    sign_in(page, "organiser@example.org")
    table = site.run(PLACES_ALONE).split()[-1]
    page.goto(f"/tables/{table}/result/")
    chips = page.locator("[data-places] .chip")
    places = page.locator("[data-places] .chip b")
    look = page.get_by_role("button", name="Prüfen")
    seal = page.locator("[data-seal]")
    expect(look).to_contain_class("btn-huge")
    for seat in (2, 0, 1):
        chips.nth(seat).click()
    expect(places).to_have_text(["2", "3", "1", "4"])
    expect(seal).to_contain_class("btn-huge")
    expect(look).not_to_contain_class("btn-huge")
    chips.nth(2).click()
    expect(places).to_have_text(["1", "2", "", "3"])
    expect(look).to_contain_class("btn-huge")
    page.get_by_role("button", name="Geteilte Plätze oder jemand fehlt").click()
    page.locator("[data-places] select").nth(2).select_option("1")
    expect(places).to_have_text(["1", "2", "1", "3"])
    is_sound(page)


def test_a_game_without_an_event_goes_in_by_hand(page: Page, site: Site) -> None:
    sign_in(page, "organiser@example.org")
    page.goto("/clubs/becherkeller/desk/seasons/new/?kind=bluff")
    is_sound(page)
    page.goto("/clubs/becherkeller/desk/events/herbstcup-2026/stages/new/?format=single")
    is_sound(page)
    page.goto("/clubs/becherkeller/herbstliga-2026/")
    page.get_by_role("link", name="Partie eintragen").click()
    for seat in range(2):
        page.get_by_role("checkbox").nth(seat).check()
    is_sound(page)
    page.get_by_role("button", name="Wer kam auf welchen Platz?").click()
    names = page.locator("[data-places] .tap")
    for seat in range(2):
        names.nth(seat).click()
    is_sound(page)
    page.get_by_role("button", name="Prüfen").click()
    expect(page.get_by_role("main")).to_contain_text("Ohne sie lässt sie diese Partie aus")
    page.get_by_role("button", name="Ändern").click()
    page.get_by_label("Punkte", exact=True).nth(1).fill("7")
    page.get_by_role("button", name="Prüfen").click()
    is_sound(page)
    page.get_by_role("button", name="Ergebnis versiegeln").click()
    expect(page.get_by_role("main")).to_contain_text("Die Partie ist eingetragen")
