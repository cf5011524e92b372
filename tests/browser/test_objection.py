"""A player objects to a result on a phone, with a photo of the paper, and an arbiter rules on it;
or two who sat there agree on what was played."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import is_sound, sign_in
from tests.browser.scorer import PHONE
from tests.browser.service import Site

PLAYED = """
import json
from datetime import date
from django.db import transaction
from games.models import Game
from league.models import Club, Event, Player, User
from league.standings.season.services.season import season_create
from tests.factories import events
with transaction.atomic():
    club = Club.objects.get(slug="becherkeller")
    season = season_create(club=club, actor=events.ACTOR, slug=SLUG, name=SLUG, starts_on=date(2026, 9, 3))
    night = events.event(season, SLUG, status=Event.Status.RUNNING, objection_hours=24)
    events.crowd(night, SEATS, SLUG)
    events.play(events.drawn(events.stage(night, sizes=[SEATS])))
    game = Game.objects.get(table_game__table__stage_round__stage__event=night)
    for number, name in ((1, "scorer"), (0, "admin")):
        user = User.objects.get(email=f"{name}@example.org")
        Player.objects.filter(user=user).update(user=None)
        Player.objects.filter(club=club, handle=game.seats.get(number=number).handle).update(user=user)
print(json.dumps(game.public_id))
"""


def played(site: Site, slug: str, seats: int) -> str:
    """The address of a game with so many seats, of which the scorer has the second and the admin
    the first."""
    return f"/games/{json.loads(site.run(f'SLUG, SEATS = {slug!r}, {seats}' + PLAYED))}/"


@pytest.fixture
def context_options() -> dict[str, Any]:
    return {**PHONE, "locale": "de-DE", "color_scheme": "dark"}


def picture() -> bytes:
    """A photo as a phone takes it."""
    buffer = io.BytesIO()
    Image.new("RGB", (800, 1200), "#886644").save(buffer, "JPEG")
    return buffer.getvalue()


def test_a_player_objects_with_a_photo_and_an_arbiter_lets_the_result_stand(
    page: Page, browser: Browser, site: Site
) -> None:
    address = played(site, "objected", 4)
    sign_in(page, "scorer@example.org")
    page.goto(address)
    page.get_by_text("Etwas stimmt nicht").click()
    is_sound(page)
    page.get_by_role("textbox").first.fill("Der letzte Würfel war ein Stern.")
    page.get_by_role("button", name="Einspruch erheben").click()
    expect(page.get_by_text("Dieses Ergebnis ist vorläufig")).to_be_visible()
    is_sound(page)
    page.get_by_role("link", name="Fotos vom Blatt").click()
    page.locator("input[type=file]").set_input_files(
        {"name": "a.jpg", "mimeType": "image/jpeg", "buffer": picture()}
    )
    page.get_by_role("button", name="Foto aufheben").click()
    expect(page.get_by_role("img", name="Foto 1 vom Blatt")).to_be_visible()
    is_sound(page)
    context = browser.new_context(
        base_url=site.url, viewport={"width": 1280, "height": 900}, locale="en-GB"
    )
    arbiter = context.new_page()
    sign_in(arbiter, "arbiter@example.org")
    arbiter.goto(address)
    expect(arbiter.get_by_role("main")).to_contain_text("Der letzte Würfel war ein Stern.")
    arbiter.get_by_role("link", name="Rule on it…").click()
    is_sound(arbiter)
    arbiter.get_by_role("link", name="Let the result stand…").click()
    is_sound(arbiter)
    arbiter.get_by_label("What happened").fill("The photo shows a five.")
    arbiter.get_by_label("Reason").fill("The count was right.")
    arbiter.get_by_role("button", name="Confirm ruling").click()
    expect(arbiter.get_by_role("main")).to_contain_text("The count was right.")
    is_sound(arbiter)
    context.close()
    page.goto(address)
    expect(page.get_by_text("Dieses Ergebnis ist vorläufig")).to_have_count(0)


def test_two_who_sat_there_agree_and_the_game_is_corrected(
    page: Page, browser: Browser, site: Site
) -> None:
    address = played(site, "agreed", 2)
    sign_in(page, "scorer@example.org")
    page.goto(address)
    page.get_by_text("Etwas stimmt nicht").click()
    page.get_by_role("textbox").first.fill("Andersherum.")
    page.get_by_role("button", name="Einspruch erheben").click()
    page.get_by_role("link", name="Sagen, was gespielt wurde …").click()
    is_sound(page)
    places = page.locator("select[name^=place_]")
    before = [places.nth(seat).input_value() for seat in (0, 1)]
    for seat in (0, 1):
        places.nth(seat).select_option(before[1 - seat])
    page.get_by_role("button", name="Zeigen, was sich ändert").first.click()
    is_sound(page)
    page.get_by_role("button", name="So vorschlagen").click()
    expect(page.get_by_role("main")).to_contain_text("hat noch nichts gesagt")
    is_sound(page)
    context = browser.new_context(
        base_url=site.url, viewport={"width": 1280, "height": 900}, locale="nl-NL"
    )
    other = context.new_page()
    sign_in(other, "admin@example.org")
    other.goto(address)
    other.get_by_role("link", name="1 speler stemt in met een voorgestelde correctie").click()
    is_sound(other)
    other.get_by_role("button", name="Ja, zo is er gespeeld").click()
    expect(other.get_by_role("main")).to_contain_text(
        "Iedereen is het eens: de partij is gecorrigeerd."
    )
    is_sound(other)
    context.close()
    page.reload()
    expect(page.get_by_role("main")).to_contain_text("Die Partie ist berichtigt.")
