"""Who scans the code on the organiser's phone is that player, in one tap, on a phone without an
account, in German."""

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import is_sound, sign_in

PHONE = {"viewport": {"width": 390, "height": 844}, "locale": "de"}
CLUB = "/clubs/becherkeller/"


@pytest.mark.parametrize("context_options", [PHONE], ids=["phone"])
def test_a_player_claims_the_own_name_by_a_code_and_gives_it_back(
    page: Page, browser: Browser, context_options: dict[str, Any]
) -> None:
    sign_in(page, "organiser@example.org")
    page.goto(f"{CLUB}players/?q=umut")
    page.locator("#players .row-link").first.click()
    page.get_by_role("link", name="Code", exact=True).click()
    page.get_by_role("button", name="Code erstellen").click()
    code = page.locator("b.big").inner_text()
    is_sound(page)

    phone = browser.new_context(base_url=page.url.split("/clubs/")[0], **context_options).new_page()
    phone.goto("/claim/")
    phone.get_by_label("Code").fill(code.lower())
    phone.get_by_role("button", name="Weiter").click()
    expect(phone.get_by_role("heading", name="Umut")).to_be_visible()
    is_sound(phone)
    phone.get_by_role("button", name="Ja, das bin ich").click()
    expect(phone.get_by_text("Du bist hier jetzt Umut.")).to_be_visible()
    is_sound(phone)

    page.goto(f"{CLUB}claims/")
    expect(page.get_by_text("ein Handy ohne Konto").first).to_be_visible()
    is_sound(page)

    phone.goto("/claim/leave/")
    phone.get_by_role("button", name="Ich bin nicht Umut").click()
    expect(phone.get_by_text("Du hast hier noch nicht gesagt, wer du bist.")).to_be_visible()
    phone.context.close()
