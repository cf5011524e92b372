"""A player objects to a result on a phone, with a photo of the paper, and an arbiter rules on it."""

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
from league.seasons.services.season import season_create
from tests.factories import events
with transaction.atomic():
    club = Club.objects.get(slug="becherkeller")
    season = season_create(club=club, actor=events.ACTOR, slug="objected", name="Objected", starts_on=date(2026, 9, 3))
    night = events.event(season, "objected", status=Event.Status.RUNNING, objection_hours=24)
    events.crowd(night, 4, "objected")
    events.play(events.drawn(events.stage(night, sizes=[4])))
    game = Game.objects.get(table_game__table__stage_round__stage__event=night)
    seat = game.seats.get(number=1)
    Player.objects.filter(user__email="scorer@example.org").update(user=None)
    Player.objects.filter(club=club, handle=seat.handle).update(user=User.objects.get(email="scorer@example.org"))
print(json.dumps(game.public_id))
"""


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
    address = f"/games/{json.loads(site.run(PLAYED))}/"
    sign_in(page, "scorer@example.org")
    page.goto(address)
    page.get_by_text("Etwas stimmt nicht").click()
    is_sound(page)
    page.get_by_role("textbox").first.fill("Der letzte Würfel war ein Stern.")
    page.get_by_role("button", name="Einspruch erheben").click()
    expect(page.get_by_text("Dieses Ergebnis ist vorläufig")).to_be_visible()
    is_sound(page)
    page.get_by_role("link", name="Fotos vom Blatt").click()
    page.locator("input[type=file]").set_input_files({"name": "a.jpg", "mimeType": "image/jpeg", "buffer": picture()})
    page.get_by_role("button", name="Foto aufheben").click()
    expect(page.get_by_role("img", name="Foto 1 vom Blatt")).to_be_visible()
    is_sound(page)
    context = browser.new_context(base_url=site.url, viewport={"width": 1280, "height": 900}, locale="en-GB")
    arbiter = context.new_page()
    sign_in(arbiter, "arbiter@example.org")
    arbiter.goto(address)
    expect(arbiter.get_by_role("main")).to_contain_text("Der letzte Würfel war ein Stern.")
    arbiter.get_by_role("link", name="Let it stand…").click()
    is_sound(arbiter)
    arbiter.get_by_label("Reason").fill("The photo shows a five.")
    arbiter.locator("main form button").last.click()
    expect(arbiter.get_by_role("main")).to_contain_text("The photo shows a five.")
    is_sound(arbiter)
    context.close()
    page.goto(address)
    expect(page.get_by_text("Dieses Ergebnis ist vorläufig")).to_have_count(0)
