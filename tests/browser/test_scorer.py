"""The scorer on phones at a table: taps counted, two phones, no network, a browser that is killed,
a keyboard alone.

The network is a proxy of this process that a test cuts: a browser's own offline switch doesn't
reach service workers."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Any, Final

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


GAME = """() => new Promise((done) => {
  indexedDB.open("cups-up-score", 1).onsuccess = ({ target }) => {
    const rows = target.result.transaction("games").objectStore("games").getAll();
    rows.onsuccess = () => {
      target.result.close();
      done(rows.result[0]);
    };
  };
})"""
"""The one game that a phone writes, as its database has it."""
BRANCHES = """
import json
from games.models import SheetBranch
rows = SheetBranch.objects.filter(sheet__open_game__table_open_game__table__public_id="{table}")
print(json.dumps([json.loads(entries) for entries in rows.values_list("entries", flat=True)]), end="")
"""


def waits(phone: Phone, holds: Callable[[dict[str, Any]], bool]) -> None:
    """Wait until something holds of the game that a phone has."""
    deadline = monotonic() + PATIENCE / 1000
    while not holds(phone.page.evaluate(GAME)):
        assert monotonic() < deadline
        phone.page.wait_for_timeout(200)


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
    expect(page.locator(".score-winner")).to_contain_text(" won")
    expect(page.locator(".score-gains").get_by_text("place 1")).to_be_visible(timeout=PATIENCE)
    is_sound(page)
    entries, sealed = written(site, at)
    assert [act for act, _ in entries] == ["close", "undo", "close", "close"]
    assert entries[0][1] == {"moves": ["3x4", "!"], "bidder": 0, "challenger": 1, "count": 2}
    assert sealed == 1
    page.get_by_role("link", name="See the game").click()
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
    expect(
        other.page.get_by_role("heading", name="Two phones wrote different things")
    ).to_be_visible()
    is_sound(other.page)
    for title in ("Theirs: Phone 1", "Ours: This phone"):
        expect(other.page.get_by_role("heading", name=title)).to_be_visible()
    theirs, their_loss, ours, our_loss = other.page.locator("mark").all_inner_texts()
    assert (theirs, ours) == ("3 dice count", "4 dice count")
    assert their_loss.endswith("loses 2 dice")
    assert our_loss.endswith("loses 1 die")
    expect(other.button("We agree")).to_be_disabled()
    other.tap("Ours This phone")
    is_sound(other.page)
    other.tap("We agree")
    other.tap("Miscounted")
    other.shows("All sent")
    expect(one.page.get_by_text("Round 2 was changed on another phone (Miscounted)")).to_be_visible(
        timeout=PATIENCE
    )
    assert one.page.locator("mark").all_inner_texts() == ["4 dice count"]
    is_sound(one.page)
    one.tap("OK")
    expect(one.page.get_by_text("Round 2 was changed on another phone")).to_have_count(0)
    entries, _ = written(site, at)
    assert [act for act, _ in entries] == ["close", "close", "amend"]
    assert entries[2][1]["round"]["count"] == 4
    (branch,) = json.loads(site.run(BRANCHES.format(table=at.table)))
    assert [entry["value"]["count"] for entry in branch] == [4], (
        "what was late is kept beside the sheet, too"
    )
    for context in contexts:
        context.close()


def test_what_another_phone_writes_leaves_a_screen_that_is_filled_in(
    browser: Browser, site: Site, table_of: Callable[..., TableAt]
) -> None:
    at = table_of(4)
    contexts = [browser.new_context(base_url=site.url, **PHONE) for _ in range(2)]
    one, other = (Phone(context.new_page()) for context in contexts)
    for phone, key in ((one, at.key), (other, at.other_key)):
        phone.page.goto(at.address(key))
        phone.shows("All sent")
    one.round(1, "7 fours", "5 dice count")
    expect(other.page.locator(".score-number")).to_have_text("Round 2", timeout=PATIENCE)
    for name in ("More", "Amend an earlier round"):
        other.tap(name)
    other.seat(0)
    other.seat(1)
    for name in ("7 fours", "6 dice count", "Why are you amending it?"):
        other.tap(name)
    one.round(2, "5 threes", "3 dice count")
    one.shows("All sent")
    waits(other, lambda game: len(game["entries"]) >= 2)
    expect(other.page.get_by_role("heading", name="Why are you amending it?")).to_be_visible()
    other.tap("Miscounted")
    other.shows("All sent")
    other.seat(2)
    other.tap("4 threes")
    waits(one, lambda game: len(game["entries"]) >= 3)
    one.tap("OK")
    one.round(1, "5 fours", "3 dice count")
    waits(other, lambda game: len(game["entries"]) >= 4)
    other.tap("3 dice count")
    other.tap("Done")
    expect(
        other.page.get_by_role("heading", name="Two phones wrote different things")
    ).to_be_visible()
    other.tap("Theirs Phone 1")
    other.tap("We agree")
    other.shows("All sent")
    assert [act for act, _ in written(site, at)[0]] == ["close", "close", "amend", "close"]
    waits(other, lambda game: all(branch.get("sent") for branch in game["branches"]))
    (branch,) = json.loads(site.run(BRANCHES.format(table=at.table)))
    assert [entry["value"]["moves"] for entry in branch] == [["4x3", "!"]]
    for context in contexts:
        context.close()


def test_a_bid_above_the_dice_on_the_table_is_grey_and_asked_for_once_more(
    page: Page, site: Site, table_of: Callable[..., TableAt]
) -> None:
    at = table_of(2, dice=2)
    page.goto(at.address())
    phone = Phone(page)
    phone.seat(0)
    expect(phone.button("4 fours")).not_to_have_class(re.compile("high"))
    expect(phone.button("5 fours")).to_have_class(re.compile("high"))
    is_sound(page)
    phone.tap("5 fours")
    expect(page.get_by_text("Only 4 dice are on the table.")).to_be_visible()
    is_sound(page)
    phone.tap("Back")
    phone.tap("5 fours")
    phone.tap("Yes, that was the bid")
    phone.tap("4 dice count")
    phone.tap("Done")
    expect(page.locator(".score-number")).to_have_text("Round 2")
    phone.tap("All bids")
    phone.tap("4 stars")
    phone.tap("Yes, that was the bid")
    expect(phone.button("Undo the bid")).to_be_visible()
    phone.shows("All sent")
    assert [value for _, value in written(site, at)[0]] == [
        {"moves": ["5x4", "!"], "bidder": 0, "challenger": 1, "count": 4},
        {"bid": "4x*", "seat": 1},
    ]


def kill(folder: Path) -> None:
    """End the browsers of this test that keep their things in a folder, as when a phone's battery
    is empty."""
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
        options = {
            "executable_path": program(CHROMIUM),
            "args": FLAGS,
            "base_url": network.url,
            **PHONE,
        }
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
    assert [(act, value["bidder"]) for act, value in entries] == [
        ("close", 0),
        ("close", 1),
        ("close", 0),
    ]
    assert sealed == 1
    context.close()


def test_a_cellar_evening_goes_on_to_the_next_game_without_network(
    browser: Browser, site: Site, network: Network, tmp_path: Path, table_of: Callable[..., TableAt]
) -> None:
    at = table_of(2, dice=1, games=2)

    def started() -> Page:
        options = {
            "executable_path": program(CHROMIUM),
            "args": FLAGS,
            "base_url": network.url,
            **PHONE,
        }
        return browser.browser_type.launch_persistent_context(tmp_path, **options).pages[0]

    def play(phone: Phone, winner: int) -> None:
        phone.seat(winner)
        for name in ("1 four", "2 dice count", "Done", "Seal the game"):
            phone.tap(name)

    page = started()
    phone = Phone(page)
    phone.opened(at.address())
    network.is_cut = True
    play(phone, 0)
    expect(page.locator("#score-state")).to_contain_text("No network", timeout=PATIENCE)
    phone.tap("Write down the next game of this table")
    expect(page.locator(".score-number")).to_have_text("Round 1")
    play(phone, 1)
    expect(page.get_by_text("sealed as soon as everything is sent")).to_be_visible()
    expect(phone.button("Write down the next game of this table")).to_have_count(
        0
    )  # the table plays two
    kill(tmp_path)
    with suppress(Error):
        page.context.close()
    page = started()
    phone = Phone(page)
    page.goto(f"/score/{at.table}/")
    expect(page.get_by_text("sealed as soon as everything is sent")).to_be_visible()
    network.is_cut = False
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.get_by_role("heading", name="The game is sealed")).to_be_visible(timeout=PATIENCE)
    phone.shows("All sent")
    entries, sealed = written(site, at)
    assert [value["bidder"] for _, value in entries] == [0, 1]
    assert sealed == 2
    page.context.close()


def test_a_page_that_is_not_kept_says_that_it_must_stay_open(
    browser: Browser, site: Site, table_of: Callable[..., TableAt]
) -> None:
    context = browser.new_context(base_url=site.url, service_workers="block", **PHONE)
    phone = Phone(context.new_page())
    phone.page.goto(table_of(2).address())
    phone.shows("All sent")
    phone.tap("More")
    expect(
        phone.page.get_by_text("The page itself isn’t saved yet, so leave it open.")
    ).to_be_visible()
    expect(phone.page.get_by_text("opens without a network")).to_have_count(0)
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
    expect(
        page.get_by_role("button", name="Fertig")
    ).to_be_hidden()  # before, the badge is that of before
    phone.shows("Alles gesendet")
    assert written(site, at)[0] == [("close", {"say": "fours=12", "dice": "44132", "doubts": [1]})]


WEIGHT: Final = """() => {
    const resources = performance.getEntriesByType("resource").filter((one) => one.responseEnd <= window.usableAt);
    const [page] = performance.getEntriesByType("navigation");
    return [page, ...resources].reduce((bytes, one) => bytes + one.transferSize, 0);
}"""
"""The bytes that had come when the first seat could be tapped, without what the page fetches for
later."""


def test_a_cold_visit_weighs_little_and_asks_for_no_account(
    page: Page, table_of: Callable[..., TableAt]
) -> None:
    at = table_of(4)
    page.add_init_script(
        "addEventListener('focusin', ({ target }) => {"
        " if (target.matches('.score-seat')) window.usableAt ??= performance.now(); })"
    )
    page.goto(at.address())
    expect(page.locator(".score-seat").first).to_be_focused()
    weight = page.evaluate(WEIGHT)
    assert 50_000 < weight <= 150_000


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
