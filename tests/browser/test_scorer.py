"""The scorer on phones at a table: taps counted, two phones, no network, a browser that is killed, a keyboard alone.

The network is a proxy of this process that a test cuts: a browser's own offline switch doesn't reach service workers.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
import pytest
from playwright.sync_api import Browser, BrowserContext, Error, Page, expect

from tests.browser.conftest import CHROMIUM, FLAGS, PATIENCE, is_sound, program, sign_in
from tests.browser.network import Network, network
from tests.browser.scorer import PHONE, Phone, TableAt, table_of, written
from tests.browser.service import Site

__all__ = ["network", "table_of"]
PROGRAMS = CHROMIUM


@pytest.fixture
def context_options() -> dict[str, Any]:
    return PHONE


BRANCHES = """
import json
from games.models import SheetBranch
rows = SheetBranch.objects.filter(sheet__open_game__table_open_game__table__public_id="{table}")
print(json.dumps([json.loads(entries) for entries in rows.values_list("entries", flat=True)]), end="")
"""


def test_a_game_of_two_is_written_in_four_taps_a_round_and_sealed(
    page: Page, site: Site, table_of: Callable[..., TableAt]
) -> None:
    at = table_of(2, dice=2)
    page.goto(at.address())
    phone = Phone(page)
    expect(page.get_by_role("heading", name="Who bid last?")).to_be_visible()
    assert at.key not in page.url
    is_sound(page)
    phone.round(0, "3 fours", "2 dice count")
    assert phone.taps <= 4
    phone.tap("Undo round 1")
    expect(page.locator(".score-number")).to_have_text("Round 1")
    phone.round(1, "3 fours", "2 dice count")
    phone.seat(0)
    phone.tap("1 four")
    is_sound(page)
    phone.tap("3 dice count")
    is_sound(page)
    phone.tap("Done")
    expect(page.get_by_role("heading", name="The game is over")).to_be_visible()
    is_sound(page)
    phone.tap("Seal the game")
    expect(page.get_by_role("heading", name="The game is sealed")).to_be_visible()
    entries, sealed = written(site, at)
    assert [act for act, _ in entries] == ["close", "undo", "close", "close"]
    assert entries[0][1] == {"moves": ["3x4", "!"], "bidder": 0, "challenger": 1, "count": 2}
    assert sealed == 1
    page.get_by_role("link", name="Look at the game").click()
    page.wait_for_url("**/games/*/")


def test_two_phones_at_a_table_keep_what_both_wrote_once_and_choose_where_they_differ(
    browser: Browser, site: Site, table_of: Callable[..., TableAt]
) -> None:
    at = table_of(4)
    contexts = [browser.new_context(base_url=site.url, **PHONE) for _ in range(2)]
    phones = [Phone(context.new_page()) for context in contexts]
    for phone, key in zip(phones, (at.key, at.other_key), strict=True):
        phone.page.goto(at.address(key))
        phone.shows("All sent")
    one, other = phones
    one.round(1, "7 fours", "5 dice count")
    other.round(1, "7 fours", "5 dice count")
    for phone in phones:
        expect(phone.page.locator(".score-number")).to_have_text("Round 2", timeout=PATIENCE)
        phone.shows("All sent")
    assert len(written(site, at)[0]) == 1, "the same round from two phones is one"
    other.page.route("**/api/**", lambda route: route.abort())
    other.round(2, "5 threes", "4 dice count")
    one.round(2, "5 threes", "3 dice count")
    one.shows("All sent")
    other.page.unroute("**/api/**")
    expect(other.page.get_by_role("heading", name="Two phones wrote different things")).to_be_visible()
    is_sound(other.page)
    other.tap("Mine is right: amend theirs")
    other.tap("Miscounted")
    other.shows("All sent")
    entries, _ = written(site, at)
    assert [act for act, _ in entries] == ["close", "close", "amend"]
    assert entries[2][1]["round"]["count"] == 4
    (branch,) = json.loads(site.run(BRANCHES.format(table=at.table)))
    assert [entry["value"]["count"] for entry in branch] == [4], "what was late is kept beside the sheet, too"
    for context in contexts:
        context.close()


def kill(folder: Path) -> None:
    """End the browsers of this test that keep their things in a folder, as when a phone's battery is empty."""
    browsers = []
    for child in psutil.Process().children(recursive=True):
        with suppress(psutil.NoSuchProcess):  # one may end meanwhile, or wait as a zombie
            if str(folder) in " ".join(child.cmdline()):
                child.kill()
                browsers.append(child)
    psutil.wait_procs(browsers, timeout=10)


def test_a_whole_game_without_network_survives_the_browser_and_is_sent_once(
    browser: Browser, site: Site, network: Network, tmp_path: Path, table_of: Callable[..., TableAt]
) -> None:
    at = table_of(2, dice=3)

    def started() -> BrowserContext:
        options = {"executable_path": program(CHROMIUM), "args": FLAGS, "base_url": network.url, **PHONE}
        return browser.browser_type.launch_persistent_context(tmp_path, **options)

    context = started()
    page = context.pages[0]
    phone = Phone(page)
    phone.opened(at.address())
    network.is_cut = True
    phone.round(0, "3 fours", "2 dice count")
    phone.round(1, "3 fours", "2 dice count")
    expect(page.locator("#score-state")).to_contain_text("2 not sent")
    kill(tmp_path)
    with suppress(Error):
        context.close()
    context = started()
    page = context.pages[0]
    page.goto(f"/score/{at.table}/")
    phone = Phone(page)
    expect(page.locator(".score-number")).to_have_text("Round 3")
    expect(page.locator("#score-state")).to_contain_text("2 not sent · No network")
    phone.seat(0)
    phone.tap("1 star")
    phone.tap("4 dice count")
    phone.tap("Done")
    phone.tap("Seal the game")
    expect(page.get_by_text("sealed as soon as everything is sent")).to_be_visible()
    network.is_cut = False
    page.evaluate("dispatchEvent(new Event('online'))")  # as a phone tells its pages
    expect(page.get_by_role("heading", name="The game is sealed")).to_be_visible(timeout=PATIENCE)
    entries, sealed = written(site, at)
    assert [(act, value["bidder"]) for act, value in entries] == [("close", 0), ("close", 1), ("close", 0)]
    assert sealed == 1
    context.close()


def test_a_page_that_is_not_kept_says_that_it_must_stay_open(
    browser: Browser, site: Site, table_of: Callable[..., TableAt]
) -> None:
    context = browser.new_context(base_url=site.url, service_workers="block", **PHONE)
    phone = Phone(context.new_page())
    phone.page.goto(table_of(2).address())
    phone.shows("All sent")
    phone.tap("More")
    expect(phone.page.get_by_text("The page itself isn’t kept yet: leave it open.")).to_be_visible()
    expect(phone.page.get_by_text("opens without network")).to_have_count(0)
    context.close()


def test_a_whole_game_is_written_by_the_keyboard_alone(
    page: Page, site: Site, table_of: Callable[..., TableAt]
) -> None:
    at = table_of(2, dice=1)
    page.goto(at.address())
    press = page.keyboard.press
    expect(page.locator(".score-seat").first).to_be_focused()
    press("ArrowDown")
    press("Enter")
    expect(page.get_by_role("heading", name=re.compile("^What did"))).to_be_visible()
    expect(page.get_by_role("button", name="1 two", exact=True)).to_be_focused()
    press("ArrowDown")
    expect(page.get_by_role("button", name="2 twos", exact=True)).to_be_focused()
    press("Enter")
    expect(page.get_by_role("button", name="2 dice count")).to_be_focused()
    press("ArrowLeft")
    press("Enter")
    expect(page.get_by_role("button", name="Done")).to_be_focused()
    press("Enter")
    expect(page.get_by_role("button", name="Seal the game")).to_be_focused()
    press("Enter")
    expect(page.get_by_role("heading", name="The game is sealed")).to_be_visible()
    assert written(site, at)[1] == 1


@pytest.mark.parametrize("context_options", [{**PHONE, "locale": "de-DE", "color_scheme": "dark"}])
def test_a_german_phone_writes_a_turn_of_luegen_kniffel_in_the_dark(
    page: Page, site: Site, table_of: Callable[..., TableAt]
) -> None:
    at = table_of(3, kind="luegen-kniffel")
    page.goto(at.address())
    phone = Phone(page)
    phone.shows("Alles gesendet")
    is_sound(page)
    phone.tap("Vierer")
    phone.tap("12")
    phone.seat(1)
    is_sound(page)
    phone.tap("Würfel zeigen")
    for face in ("Vier", "Vier", "Eins", "Drei", "Zwei"):
        phone.tap(face)
    expect(page.get_by_text("gelogen")).to_be_visible()
    is_sound(page)
    phone.tap("Fertig")
    expect(page.get_by_role("button", name="Fertig")).to_be_hidden()  # before, the badge is that of before
    phone.shows("Alles gesendet")
    assert written(site, at)[0] == [("close", {"say": "fours=12", "dice": "44132", "doubts": [1]})]


def test_a_cold_visit_weighs_little_and_asks_for_no_account(page: Page, table_of: Callable[..., TableAt]) -> None:
    at = table_of(4)
    cdp = page.context.new_cdp_session(page)
    sizes: list[float] = []
    cdp.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    cdp.send("Network.enable")
    page.goto(at.address())
    expect(page.locator(".score-seat").first).to_be_focused()
    assert sum(sizes) <= 150_000


def test_a_phone_gets_its_key_on_the_page_of_the_table(
    page: Page, site: Site, table_of: Callable[..., TableAt]
) -> None:
    at = table_of(4)
    sign_in(page, "organiser@example.org")
    page.goto(f"/tables/{at.table}/")
    page.get_by_role("link", name="Write this game down").click()
    expect(page.get_by_text("Key 2")).to_be_visible()
    page.get_by_role("button", name="Another phone").click()
    expect(page.locator(".qr")).to_be_visible()
    is_sound(page)
    page.get_by_role("link", name="Done").click()
    page.get_by_role("button", name="Revoke this key").first.click()
    page.get_by_role("button", name="Write on this phone").click()
    page.wait_for_url("**/score/*/")
    expect(page.get_by_role("heading", name="Who bid last?")).to_be_visible()
