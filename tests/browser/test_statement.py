"""A player says on a phone what happened in a disputed game, with a photo and a file, and an
arbiter reads it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Browser, FilePayload, Page, expect

from tests.browser.conftest import is_sound, sign_in
from tests.browser.scorer import PHONE
from tests.browser.service import Site
from tests.browser.test_objection import picture, played

DISPUTED = """
from games.models import Game
from league.disputes.objection.services import objection_raise
from tests.factories import events
game = Game.objects.select_related("season_game__season__club").get(public_id=GAME)
objection_raise(game=game, seat=0, word="A die was hidden.", actor=events.ACTOR)
"""


def disputed(site: Site, slug: str) -> str:
    """The address of a game to which a seat objects; the scorer sat at another one."""
    address = played(site, slug, 4)
    game = address.split("/")[2]
    site.run(f"GAME = {json.dumps(game)}" + DISPUTED)
    return address


def file(name: str, content: bytes) -> FilePayload:
    return {"name": name, "mimeType": "application/octet-stream", "buffer": content}


@pytest.fixture
def context_options() -> dict[str, Any]:
    return {**PHONE, "locale": "de-DE", "color_scheme": "dark"}


def test_a_player_says_what_happened_and_an_arbiter_reads_it_in_the_case(
    page: Page, browser: Browser, site: Site
) -> None:
    address = disputed(site, "stated")
    sign_in(page, "scorer@example.org")
    page.goto(address)
    page.get_by_role("link", name="Aussagen und Belege …").click()
    is_sound(page)
    expect(page.get_by_role("main")).to_contain_text("90 Tage nach dem Ende des Streits entfernt")
    page.get_by_label("Was ist geschehen?").fill("Unter dem Becher lagen zwei Sterne.")
    chooser = page.get_by_label("Fotos oder Dateien")
    chooser.set_input_files(file("table.png", b"<script>alert(1)</script>"))
    page.get_by_role("button", name="Aussage abschicken").click()
    expect(page.get_by_role("main")).to_contain_text("die Datei ist weder ein Bild")
    is_sound(page)
    expect(page.get_by_label("Was ist geschehen?")).to_have_value(
        "Unter dem Becher lagen zwei Sterne."
    )
    page.get_by_label("Fotos oder Dateien").set_input_files(
        [file("a.jpg", picture()), file("b.txt", b"zwei Sterne")]
    )
    page.get_by_role("button", name="Aussage abschicken").click()
    expect(page.get_by_role("main")).to_contain_text("Unter dem Becher lagen zwei Sterne.")
    photo = page.get_by_role("img", name="Bild 1 zu dieser Aussage")
    expect(photo).to_be_visible()
    photo.scroll_into_view_if_needed()
    expect(photo).to_have_js_property("complete", True)
    assert photo.evaluate("image => image.naturalWidth") > 0
    with page.expect_download() as download:
        page.get_by_role("link", name="Datei 2: Textdatei").click()
    assert download.value.suggested_filename.endswith(".txt")
    is_sound(page)
    for locale, heading in (
        ("en-GB", "Statements and evidence"),
        ("nl-NL", "Verklaringen en bewijs"),
    ):
        context = browser.new_context(base_url=site.url, **{**PHONE, "locale": locale})
        arbiter = context.new_page()
        sign_in(arbiter, "arbiter@example.org")
        arbiter.goto(f"{address}case/")
        expect(arbiter.get_by_role("heading", name=heading)).to_be_visible()
        expect(arbiter.get_by_role("main")).to_contain_text("Unter dem Becher lagen zwei Sterne.")
        is_sound(arbiter)
        arbiter.goto(f"{address}statements/")
        is_sound(arbiter)
        context.close()
