"""Practice in the browser: the way there is short and light, and the lesson is played to its
end."""

from __future__ import annotations

from typing import Any, Final

from playwright.sync_api import Page, expect

from tests.browser.conftest import is_sound

MOST_BYTES: Final = 150_000
PHONE: Final[Any] = {"width": 360, "height": 780}


def test_three_clicks_and_150_kb_lead_from_the_first_page_to_the_first_bid(page: Page) -> None:
    network = page.context.new_cdp_session(page)
    network.send("Network.enable")
    sizes: list[float] = []
    network.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    page.goto("/")
    for click in (
        page.get_by_role("link", name="Play a round now"),
        page.get_by_role("button", name="easy"),
        page.get_by_role("button", name="Bid", exact=True),
    ):
        click.click()
    expect(page.locator("#my-dice")).to_be_visible()
    assert 0 < sum(sizes) <= MOST_BYTES


def test_the_lesson_is_played_to_its_end_and_leads_to_a_game(page: Page) -> None:
    page.set_viewport_size(PHONE)
    page.goto("/play/practice/")
    page.get_by_role("link", name="Learn by playing").click()
    page.get_by_role("button", name="Look under your cup").click()
    page.get_by_role("button", name="Two", exact=True).click()
    expect(page.get_by_role("status").first).to_contain_text("the star counts, too")
    for answer in ("Three", "Five fours", "Cups up!"):
        page.get_by_role("button", name=answer, exact=True).click()
    is_sound(page)
    page.get_by_role("button", name="Otto loses three").click()
    is_sound(page)
    page.get_by_role("button", name="Now play").click()
    expect(page.locator("#act")).to_be_visible()
