"""Two who sat at a table agree on an arbiter from outside, all of them on phones, in German and in
the dark."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import is_sound, sign_in
from tests.browser.scorer import PHONE
from tests.browser.service import Site
from tests.browser.test_objection import played

OUTSIDER = """
from league.core.account.services import account_create
from league.demo.accounts import PASSWORD
account_create(name="Rita Rust", email="rita@example.org", password=PASSWORD)
"""


@pytest.fixture
def context_options() -> dict[str, Any]:
    return {**PHONE, "locale": "de-DE", "color_scheme": "dark"}


def test_both_sides_agree_on_somebody_who_then_finds_the_case(
    page: Page, browser: Browser, site: Site, context_options: dict[str, Any]
) -> None:
    address = played(site, "outside", 2)
    site.run(OUTSIDER)
    contexts = [browser.new_context(base_url=site.url, **context_options) for _ in range(2)]
    other, outsider = (context.new_page() for context in contexts)
    for each, name in ((page, "scorer"), (other, "admin"), (outsider, "rita")):
        sign_in(each, f"{name}@example.org")
    page.goto(address)
    page.get_by_text("Etwas stimmt nicht").click()
    page.get_by_role("textbox").first.fill("Der letzte Würfel war ein Stern.")
    page.get_by_role("button", name="Einspruch erheben").click()
    page.get_by_role("link", name="Auf einen anderen Schiedsrichter einigen").click()
    is_sound(page)
    page.get_by_role("button", name="Link erstellen").click()
    is_sound(page)
    link = page.locator("#arbiter-link").inner_text().strip()
    outsider.goto(link[link.index("/arbiter/") :])
    expect(outsider.get_by_role("main")).not_to_contain_text("Stern")
    is_sound(outsider)
    outsider.get_by_role("checkbox").first.check()
    outsider.get_by_role("button", name="Ich entscheide").click()
    expect(outsider.get_by_role("main")).to_contain_text("0 von 2 am Tisch")
    is_sound(outsider)
    for seat in (page, other):
        seat.goto(f"{address}arbiter/")
        expect(seat.get_by_role("heading", name="Rita Rust")).to_be_visible()
        is_sound(seat)
        seat.get_by_role("button", name="Ja, einverstanden").click()
    expect(other.get_by_role("main")).to_contain_text("Alle am Tisch sind einverstanden")
    is_sound(other)
    outsider.goto("/")
    outsider.get_by_role("link", name="Zum Fall").click()
    expect(outsider.get_by_role("main")).to_contain_text("Der letzte Würfel war ein Stern.")
    is_sound(outsider)
    for context in contexts:
        context.close()
