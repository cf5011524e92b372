"""The page of an online table: a move without a reload, what is said of it, and what stays where it
is."""

from __future__ import annotations

from typing import Any, Final

from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import complaints_of, is_sound, sign_in

NEW: Final = "/play/new/becherkeller/"
PHONE: Final[Any] = {"viewport": {"width": 360, "height": 780}, "has_touch": True}
HEAR: Final = """() => {
  window.here = true;
  window.heard = [];
  const announce = document.getElementById("announce");
  new MutationObserver(() => window.heard.push(announce.textContent)).observe(announce, { childList: true });
}"""
"""Note from now on what a screen reader is told, and that the page wasn't loaded again."""


def opened(page: Page, *, guests: int = 1, **settings: int) -> tuple[str, list[Page]]:
    """Open a table as the organiser, and let guests sit down, each with a browser of their own; not
    begun yet."""
    sign_in(page, "organiser@example.org")
    page.goto(NEW)
    for name, value in settings.items():
        page.locator(f"[name={name}]").fill(str(value))
    page.get_by_role("button", name="Open the table").click()
    expect(page.get_by_role("heading", name="Who’s playing")).to_be_visible()
    browser = page.context.browser
    assert browser is not None
    return page.url, [seated(browser, page.url, f"Guest {number + 1}") for number in range(guests)]


def seated(browser: Browser, address: str, name: str, **options: Any) -> Page:
    """The page of a guest who has sat down."""
    guest = browser.new_context(locale="en-GB", reduced_motion="reduce", **options).new_page()
    guest.goto(address)
    guest.get_by_label("Your name").fill(name)
    guest.get_by_role("button", name="Sit down").click()
    expect(guest.get_by_text("The host begins the game.")).to_be_visible()
    return guest


def begin(host: Page, *, seats: int = 2) -> None:
    """Begin the game, once the host sees who sits there."""
    expect(host.locator("#live section[aria-labelledby=seats-head] .rows > li")).to_have_count(
        seats
    )
    host.get_by_role("button", name="Begin the game").click()
    expect(host.get_by_role("heading", name="Round 1")).to_be_visible()


def in_turn(*pages: Page) -> list[Page]:
    """The same pages, the one whose turn it is first."""
    expect(pages[0].locator("#my-dice")).to_be_visible()
    for page in pages[1:]:
        expect(page.locator("#my-dice")).to_be_visible()
    return sorted(pages, key=lambda page: not page.locator("#act").is_visible())


def choose(page: Page, field: str, face: str) -> None:
    page.locator(f"input[name=field][value='{field}']").check(force=True)
    page.locator(f"input[name=face][value='{face}']").check(force=True)


def bid(page: Page, field: str, face: str) -> None:
    choose(page, field, face)
    page.get_by_role("button", name="Bid", exact=True).click()


def test_a_move_replaces_the_part_that_changed_and_is_said_once(page: Page) -> None:
    _, (guest,) = opened(page)
    complaints = complaints_of(guest)
    begin(page)
    actor, other = in_turn(page, guest)
    for each in (actor, other):
        each.evaluate(HEAR)
    choose(actor, "3", "4")
    actor.evaluate("scrollTo(0, 200)")
    actor.get_by_role("button", name="Bid", exact=True).click()
    expect(other.locator("#act")).to_be_visible()
    expect(actor.locator("#act")).to_have_count(0)
    actor.wait_for_timeout(1000)  # the stream has told of the own move, too
    assert actor.evaluate("window.here")
    assert actor.evaluate("scrollY") > 0, "nothing jumps to the top"
    assert actor.evaluate("document.activeElement.id") == "round-head"
    own, theirs = actor.evaluate("window.heard"), other.evaluate("window.heard")
    assert [words for words in own if "3 fours" in words] == own
    assert len(own) == 1
    assert theirs[0].endswith("3 fours. Your turn.")
    assert not complaints
    guest.context.close()


def test_what_the_rules_refuse_is_said_in_the_part(page: Page) -> None:
    _, (guest,) = opened(page)
    begin(page)
    actor, _ = in_turn(page, guest)
    actor.evaluate(HEAR)
    actor.keyboard.type("9x9")
    actor.keyboard.press("Enter")
    expect(actor.locator("#live [role=status]")).to_contain_text("isn't a face")
    assert actor.evaluate("window.here")
    bid(actor, "3", "4")
    expect(actor.locator("#act")).to_have_count(0)
    guest.context.close()


def test_what_is_folded_open_stays_so_when_others_act(page: Page) -> None:
    _, (guest,) = opened(page)
    begin(page)
    actor, other = in_turn(page, guest)
    other.locator("#phrases summary").click()
    bid(actor, "3", "4")
    expect(other.locator("#act")).to_be_visible()
    expect(other.get_by_role("button", name="Good luck!")).to_be_visible()
    guest.context.close()


def test_a_table_is_played_without_a_script(page: Page, browser: Browser) -> None:
    address, guests = opened(page, guests=0)
    plain = browser.new_context(locale="en-GB", java_script_enabled=False).new_page()
    plain.goto(address)
    plain.get_by_label("Your name").fill("Plain")
    plain.get_by_role("button", name="Sit down").click()
    expect(page.locator("#live b", has_text="Plain")).to_be_visible()
    begin(page)
    if page.locator("#act").is_visible():
        bid(page, "3", "4")
        expect(page.locator("#act")).to_have_count(0)
    plain.goto(address)
    plain.locator("input[name=field][value='5']").check(force=True)
    plain.get_by_role("button", name="Bid", exact=True).click()
    expect(plain.locator("#act")).to_have_count(0)
    assert not guests
    plain.context.close()


def test_the_page_is_sound_in_the_lobby_and_in_play(page: Page) -> None:
    _, (guest,) = opened(page)
    is_sound(page)
    begin(page)
    is_sound(page)
    guest.context.close()


def test_a_bid_that_isnt_sent_yet_survives_a_reload_and_is_forgotten_after_the_move(
    page: Page,
) -> None:
    _, (guest,) = opened(page)
    begin(page)
    actor, other = in_turn(page, guest)
    choose(actor, "5", "4")
    actor.reload()
    expect(actor.locator("input[name=field][value='5']")).to_be_checked()
    expect(actor.locator("input[name=face][value='4']")).to_be_checked()
    actor.get_by_role("button", name="Bid", exact=True).click()
    bid(other, "6", "4")
    expect(actor.locator("#act")).to_be_visible()
    expect(actor.locator("input[name=field]").first).to_be_checked()
    guest.context.close()


def test_a_tap_on_the_track_chooses_a_field(page: Page) -> None:
    _, (guest,) = opened(page)
    begin(page)
    actor, _ = in_turn(page, guest)
    actor.locator(".track [data-field='7']").click()
    expect(actor.locator("input[name=field][value='7']")).to_be_checked()
    expect(actor.locator(".track .chosen")).to_have_count(1)
    guest.context.close()


def test_a_seat_gives_another_one_a_minute_and_sees_the_clock_go_up(page: Page) -> None:
    _, (guest,) = opened(page, move_seconds=30, bank_seconds=0)
    begin(page)
    actor, other = in_turn(page, guest)
    other.get_by_role("button", name="60 more seconds").click()
    expect(other.get_by_role("button", name="60 more seconds")).to_have_count(0)
    expect(actor.locator("#time-left progress")).to_have_attribute("max", "90")
    actor.keyboard.press("t")
    expect(actor.locator("#announce")).to_contain_text("seconds left")
    guest.context.close()


def test_the_sound_is_off_until_it_is_switched_on_and_the_switch_is_remembered(page: Page) -> None:
    opened(page, guests=0)
    switch = page.get_by_role("button", name="Sound")
    expect(switch).to_have_attribute("aria-pressed", "false")
    switch.click()
    expect(switch).to_have_attribute("aria-pressed", "true")
    page.reload()
    expect(page.get_by_role("button", name="Sound")).to_have_attribute("aria-pressed", "true")


def test_a_lost_connection_is_shown_what_wasnt_sent_is_kept_and_the_page_goes_on(
    page: Page,
) -> None:
    address, _ = opened(page, guests=0)
    browser = page.context.browser
    assert browser is not None
    phone = seated(browser, address, "Phone", **PHONE)
    begin(page)
    expect(phone.locator("#my-dice")).to_be_visible()
    if page.locator("#act").is_visible():
        bid(page, "3", "4")
    expect(phone.locator("#act")).to_be_visible()
    phone.context.set_offline(True)
    expect(phone.locator("#line-lost")).to_contain_text("Your clock is still running")
    bid(phone, "7", "5")
    expect(phone.locator("#line-lost")).to_contain_text("this wasn’t sent")
    expect(phone.locator("input[name=field][value='7']")).to_be_checked()
    phone.context.set_offline(False)
    expect(phone.locator("#line-lost")).to_be_hidden()
    phone.get_by_role("button", name="Bid", exact=True).click()
    expect(page.locator("#last-bid")).to_contain_text("Phone")
    phone.context.close()


def test_seats_of_a_private_table_talk_and_what_is_typed_stays_typed(page: Page) -> None:
    _, (guest,) = opened(page)
    complaints = complaints_of(guest)
    page.locator("#chat-text").fill("half a line")
    guest.locator("#chat-text").fill("<b>Zoë</b> 🎲 שלום")
    guest.locator("#chat-text").press("Enter")
    expect(page.locator(".chat-lines")).to_contain_text("<b>Zoë</b> 🎲 שלום")
    expect(page.locator("#chat-text")).to_have_value("half a line")
    expect(guest.locator("#chat-text")).to_have_value("")
    expect(page.locator("#announce")).to_contain_text("Zoë")
    page.locator(".chat-lines summary").click()
    is_sound(page)
    page.get_by_role("button", name="Mute Guest 1").click()
    expect(page.locator(".chat-lines")).not_to_contain_text("Zoë")
    page.get_by_role("button", name="Unmute Guest 1").click()
    expect(page.locator(".chat-lines")).to_contain_text("Zoë")
    assert not complaints
    guest.context.close()
