"""An evening on a phone in German, for its organiser and for a player, from the plan to the podium;
then all that is looked up, in German and in Dutch. Labels are those of the English page, looked up
in the catalogues.

`test_access.py` opens the same pages in another world: those of the demo, which nobody changes, in
English. Here they are those that an evening just led to, with the longer words of both languages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.utils.translation import gettext, override
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.conftest import PATIENCE, complaints_of, is_sound, sign_in
from tests.browser.service import Site
from tests.browser.test_events import DRAWN, PLAYERS

CLUB = "/clubs/becherkeller/"
CUP = f"{CLUB}events/herbstcup-2026/"
SCREEN: dict[str, Any] = {"viewport": {"width": 390, "height": 844}}
IMPOSSIBLE, POSSIBLE, LESS = ("9", "7"), ("12", "7"), ("11", "6")
"""Points of the second and the third of three seats, where dice count as they leave: before the
second went, the ten of two seats had left."""
Words = Callable[..., str]


@pytest.fixture
def locale() -> str:
    return "de-DE"


@pytest.fixture
def context_options(locale: str) -> dict[str, Any]:
    return {**SCREEN, "locale": locale}


@pytest.fixture
def say(locale: str) -> Words:
    """The words of a page in the phone's language."""

    def translated(words: str, **values: object) -> str:
        with override(locale[:2]):
            return gettext(words) % values if values else gettext(words)

    return translated


@pytest.fixture
def player(browser: Browser, site: Site, context_options: dict[str, Any]) -> Iterator[Page]:
    """The phone of somebody who plays, and has no account."""
    context = browser.new_context(base_url=site.url, **context_options)
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    complaints = complaints_of(page)
    yield page
    context.close()
    assert not complaints


def press(page: Page, name: str) -> None:
    """Press a button or follow a link of the page."""
    main = page.get_by_role("main")
    main.get_by_role("button", name=name, exact=True).or_(
        main.get_by_role("link", name=name, exact=True)
    ).first.click()


def field(page: Page, name: str) -> Locator:
    return page.locator(f"main [name={name}]")


def says(page: Page, words: str) -> None:
    """Wait until a page says something; it is sound then."""
    expect(page.get_by_role("main")).to_contain_text(words)
    is_sound(page)


def test_an_evening_from_the_plan_to_the_podium(page: Page, player: Page, say: Words) -> None:
    cockpit = planned(page, say)
    public = cockpit.replace("/desk/", "/")
    press(page, say("Start the event"))
    heading = page.get_by_role("heading", name=say("Results of round %(number)d", number=1))
    expect(heading).to_be_visible(timeout=DRAWN)
    is_sound(page)
    at_the_door(page, cockpit, say)
    claimed(player, public, wall_of(page, cockpit), say)
    results(page, cockpit, say)
    void_and_back(page, public, say)
    page.goto(f"{cockpit}entries/")
    page.locator("main th a").first.click()
    field(page, "guest").check()
    page.locator("form:has([name=guest]) button").first.click()
    expect(page.locator("button[name=sure]")).to_be_visible()
    is_sound(page)
    page.locator("button[name=sure]").click()
    says(page, say("Saved. The season’s table will update in a moment."))
    for step in ("Finish the stage", "Finish the event"):
        page.goto(cockpit)
        press(page, say(step))
    says(page, say("The event is finished."))

    player.goto(public)
    expect(player.locator(".podium")).to_be_visible()
    says(player, say("Final ranking"))
    heard(player, say("%(event)s is over", event="Abend"))
    page.goto(f"{cockpit}again/")
    press(page, say("Plan the event"))
    expect(page.get_by_role("checkbox", checked=True).first).to_be_visible()
    is_sound(page)


def planned(page: Page, say: Words) -> str:
    """Plan an evening, what is written down and its fee included, with six players; returns its
    cockpit."""
    sign_in(page, "organiser@example.org")
    page.goto(f"{CLUB}desk/events/new/?kind=bluff")
    field(page, "name").fill("Abend")
    field(page, "starts_at").fill("2026-12-10T19:30")
    page.get_by_label(
        say("dice scores (cntdice): how many dice had left the game when each player went out")
    ).check()
    field(page, "fee").fill("5,00")
    is_sound(page)
    press(page, say("Plan the event"))
    page.wait_for_url("**/desk/events/abend*/")
    cockpit = page.url
    page.goto(f"{cockpit}stages/new/?format=pods")
    field(page, "rounds").fill("1")
    press(page, say("Plan the stage"))
    page.goto(cockpit)
    press(page, say("Add several at once"))
    field(page, "names").fill("\n".join(f"{name} W." for name in PLAYERS[:6]))
    press(page, say("Enter them"))
    is_sound(page)
    return cockpit


def at_the_door(page: Page, cockpit: str, say: Words) -> None:
    """Take a fee, and give somebody a role for the evening: no letter goes, and the page hands on a
    link."""
    page.goto(f"{cockpit}check-in/")
    page.locator("button[name=do][value=paid]").first.click()
    expect(page.locator("button[name=do][value=open]").first).to_be_visible()
    is_sound(page)
    page.goto(f"{cockpit}helpers/")
    press(page, say("Add or invite"))
    expect(page.locator("main .stat b")).to_be_visible()
    is_sound(page)


def wall_of(page: Page, cockpit: str) -> str:
    """The path of the list that the code on the wall opens."""
    page.goto(f"{cockpit}claims/")
    is_sound(page)
    address = page.locator("main p.break-all a").get_attribute("href")
    assert address
    return urlsplit(address).path


def claimed(player: Page, public: str, wall: str, say: Words) -> None:
    """Scan the wall's code and tap the own name: the phone shows the own table, and so does the
    event's page."""
    player.goto(wall)
    is_sound(player)
    player.get_by_role("button", name=say("This is me")).first.click()
    says(player, say("Your next table"))
    player.goto(public)
    says(player, say("Your next table"))


def results(page: Page, cockpit: str, say: Words) -> None:
    """Enter the results of both tables; points that can't be are refused."""
    for points in ((IMPOSSIBLE, POSSIBLE), (LESS,)):
        page.goto(cockpit)
        press(page, say("Enter a result"))
        expect(page.get_by_role("button", name=say("Start again"))).to_be_visible()
        for seat in page.locator("[data-places] .tap").all():
            seat.click()
        for attempt in points:
            for place, figure in enumerate(attempt, 1):
                page.get_by_label(say("Points"), exact=True).nth(place).fill(figure)
            press(page, say("Review"))
            is_sound(page)
        press(page, say("Seal the result"))


def void_and_back(page: Page, public: str, say: Words) -> None:
    """Void a game, and let it count again."""
    page.goto(f"{public}stages/1/rounds/1/")
    page.locator("main a[href^='/games/']").first.click()
    game = page.url
    page.goto(f"{game}void/")
    field(page, "reason").fill("Zweimal.")
    press(page, say("Void the game"))
    says(page, say("The game is void. Tables and ratings will update in a moment."))
    page.goto(f"{game}restore/")
    field(page, "reason").fill("Doch nicht.")
    press(page, say("Restore the game"))
    says(page, say("The game counts again. Tables and ratings will update in a moment."))


def heard(player: Page, words: str) -> None:
    """Read the notices until one says something."""
    for _ in range(60):
        player.goto("/me/notices/")
        if player.get_by_text(words).count():
            break
        player.wait_for_timeout(500)
    says(player, words)


@pytest.mark.parametrize("locale", ["de-DE", "nl-NL"])
def test_what_players_look_up(page: Page, say: Words) -> None:
    page.goto(f"{CLUB}herbstliga-2026/")
    ranks = page.locator(".podium").bounding_box()
    assert ranks
    assert ranks["y"] + ranks["height"] <= SCREEN["viewport"]["height"], (
        "ranks stand on the first screen"
    )
    is_sound(page)
    page.locator("#table a[href^='players/']").first.click()
    says(page, say("Why rank %(rank)s?", rank=1))
    page.goto(f"{CLUB}events/offener-abend/enter/")
    says(
        page,
        say("No email is sent, and nobody sees the address. It only tells you apart from others."),
    )
    page.goto(CUP)
    page.locator("main .table-tile").first.click()
    page.wait_for_url("**/tables/**")
    is_sound(page)
    for path in (
        f"{CUP}stages/2/",
        f"{CUP}hall/",
        "/docs/how-to-bluff",
        "/docs/rules",
        "/score-cards/bluff/",
    ):
        page.goto(path)
        is_sound(page)
