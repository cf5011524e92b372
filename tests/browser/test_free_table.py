"""An evening of free tables on a phone, in German: who is there sits down, plays, and the next
table is set up."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import is_sound, sign_in
from tests.browser.test_events import Taps

EVENING = "/clubs/becherkeller/desk/events/freier-abend/"
MOST_TAPS = 10
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "locale": "de-DE",
}


@pytest.fixture
def context_options() -> dict[str, Any]:
    return PHONE


def test_four_sit_down_play_and_one_sees_the_table_counted(page: Page) -> None:
    sign_in(page, "organiser@example.org")
    page.goto(EVENING)
    main, taps = page.get_by_role("main"), Taps(page)
    taps.tap("Tisch ansetzen")
    is_sound(page)
    names = [label.inner_text().strip() for label in main.locator("fieldset label").all()][:3]
    assert len(names) == 3, "the demo has three who sit nowhere"
    for name in names:
        main.get_by_label(name, exact=True).check()
        taps.count += 1
    taps.tap("An den Tisch setzen")
    expect(page.get_by_text("Der Tisch ist angesetzt.")).to_be_visible()
    tile = main.locator("a.table-tile", has_text="Tisch 8")
    for name in names:
        expect(tile).to_contain_text(name)
    is_sound(page)
    tile.click()
    taps.count += 1
    for name in names[:-1]:
        main.locator("[data-places] .chip", has_text=name).click()
        taps.count += 1
    taps.tap(re.compile("^Versiegeln, dann Tisch"))
    expect(main.get_by_role("heading", level=1)).to_have_text("Ergebnis von Tisch 6")
    page.goto(EVENING)
    expect(main.locator("a.table-tile.over", has_text="Tisch 8")).to_be_visible()
    assert taps.count <= MOST_TAPS
    page.goto(EVENING.replace("/desk", "") + "stages/1/")
    expect(page.get_by_role("link", name="Tische", exact=True)).to_be_visible()
    row = main.get_by_role("row", name=names[0]).first
    row.locator("summary").click()
    expect(row).to_contain_text("Tisch 8: Platz 1 von 3")
    is_sound(page)


def test_a_table_that_was_a_mistake_is_taken_back(page: Page) -> None:
    sign_in(page, "organiser@example.org")
    page.goto(EVENING)
    main, taps = page.get_by_role("main"), Taps(page)
    main.locator("a.table-tile.over", has_text="Tisch 1").first.click()
    taps.tap("Zurücknehmen")
    expect(main).to_contain_text("Was dort gespielt wurde, wird ungültig")
    is_sound(page)
    main.locator("[name=reason]").fill("Das war eine Übung.")
    taps.tap("Zurücknehmen")
    page.goto(EVENING)
    main.locator("a.table-tile.over", has_text="Tisch 1").first.click()
    expect(main).to_contain_text("Nicht gespielt: Niemand bekommt Punkte.")
    expect(main).to_contain_text("Das war eine Übung.")
    is_sound(page)
