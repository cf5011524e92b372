"""A whole league night and a cup of 24 players, run on a phone from the first draft to the last
result."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import PATIENCE, is_sound, sign_in
from tests.browser.service import Site

PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}}
DRAWN = 60_000
"""So many milliseconds a job may take to draw a round, on a busy machine."""
DICE = 5
PLAYERS = [
    *(
        "Anna",
        "Arne",
        "Bea",
        "Ben",
        "Cleo",
        "Dario",
        "Elif",
        "Fritz",
        "Greta",
        "Hakan",
        "Ines",
        "Jonas",
    ),
    *(
        "Karla",
        "Lars",
        "Mira",
        "Nils",
        "Olga",
        "Pavel",
        "Quentin",
        "Rosa",
        "Sven",
        "Tilda",
        "Umut",
        "Vera",
    ),
]


@pytest.fixture
def context_options() -> dict[str, Any]:
    return PHONE


UNLINK = """
from league.models import Player
Player.objects.filter(user__email="scorer@example.org").update(user=None)
"""


@pytest.fixture
def player(browser: Browser, site: Site) -> Iterator[Page]:
    """The phone of somebody else, whose account plays in no club yet."""
    site.run(UNLINK)
    context = browser.new_context(base_url=site.url, locale="en-GB", **PHONE)
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    sign_in(page, "scorer@example.org")
    yield page
    context.close()


@pytest.fixture
def organiser(page: Page) -> Page:
    """The phone of an organiser."""
    sign_in(page, "organiser@example.org")
    return page


def press(page: Page, name: str, says: str) -> None:
    """Press a button, or follow a link that looks like one, and read what the page says then."""
    said = page.locator("main").get_by_text(says)
    expect(said).to_have_count(0)
    main = page.locator("main")
    main.get_by_role("button", name=name, exact=True).or_(
        main.get_by_role("link", name=name, exact=True)
    ).click()
    expect(said.first).to_be_visible()


def new_event(page: Page, name: str, places: int, *, scoring: str) -> str:
    """An event that stands alone, as a draft; the address of its cockpit."""
    page.goto("/clubs/becherkeller/desk/events/new/?kind=bluff")
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("Begins").fill("2026-12-03T19:30")
    page.get_by_role("spinbutton", name="Places").fill(str(places))
    page.get_by_label(scoring, exact=True).check()
    press(page, "Plan the event", "The event is ready")
    return page.url


def shown(cockpit: str) -> str:
    """The event's page, as everybody sees it."""
    return cockpit.replace("/desk/", "/")


def plan(page: Page, cockpit: str, format: str, **numbers: int) -> None:
    """One more stage in which places alone count; what isn't said keeps what the form proposes."""
    page.goto(f"{cockpit}stages/new/?format={format}")
    page.get_by_text("More settings").click()
    for name, number in numbers.items():
        page.locator(f"[name={name}]").fill(str(number))
    page.locator("[name=scoring]").select_option("placement")
    press(page, "Plan the stage", "The stage is planned")


def enter_list(page: Page, cockpit: str, names: Sequence[str]) -> None:
    """Enter players from a list, as a club has one."""
    page.goto(f"{cockpit}entries/list/")
    lines = "\n".join(["handle", *names])
    page.get_by_label("File").set_input_files(
        {"name": "a.csv", "mimeType": "text/csv", "buffer": lines.encode()}
    )
    press(page, "See what will happen", f"{len(names)} players get a place")
    press(page, "Enter them", f"{len(names)} players entered from the list")


def check_all_in(page: Page, cockpit: str) -> None:
    page.goto(f"{cockpit}check-in/")
    press(page, "Check all in", "Check everybody in")
    press(page, "Check all in", "Everybody who has a place is now checked in")


def look_and_publish(page: Page, button: str, number: int) -> None:
    """Ask for a round that one wants to look at first, wait until the job has drawn it, and let
    everybody see it."""
    press(page, "Check the draw first", "Let me check the draw")
    press(page, button, f"Round {number} is")
    expect(page.get_by_role("heading", name=f"Round {number} is drawn")).to_be_visible(
        timeout=DRAWN
    )
    press(page, "Check the draw", "Why this table?")
    press(page, "Publish the round", f"Publish round {number}")
    press(page, "Publish the round", "The round is published")


def enter_results(page: Page, tables: int) -> None:
    """Enter every table's result by taps, in the order in which people sit there, and where points
    count give the winner all dice, the others what they may have had. The cockpit leads from one
    table to the next."""
    for left in reversed(range(tables)):
        press(page, "Enter a result", "Tap the names in finishing order")
        expect(page.get_by_role("button", name="Start again")).to_be_visible()  # taps are heeded
        people = page.locator(".tap").filter(visible=True).all()
        for one in people:
            one.click()
        for place, points in enumerate(page.get_by_label("Points", exact=True).all()):
            points.fill(str(DICE * (len(people) - place)))
        press(page, "Review", "This will be sealed")
        assert page.locator(".finishes b").all_inner_texts() == [
            f"{place + 1}." for place in range(len(people))
        ]
        press(
            page,
            "Seal the result",
            f"The result is in. {left} table" if left else "The result is in: every table",
        )


def test_a_league_night_on_a_phone(organiser: Page, player: Page) -> None:
    page = organiser
    cockpit = new_event(
        page,
        "Winternacht",
        9,
        scoring="dice scores (cntdice): how many dice had left the game when each player went out",
    )
    is_sound(page)
    plan(page, cockpit, "pods", rounds=2)
    press(page, "Open entries", "Entries are open")

    player.goto(shown(cockpit))
    is_sound(player)
    player.get_by_role("link", name="Enter", exact=True).click()
    player.get_by_label("Your name").fill("Sigrid")
    press(player, "Enter", "You have a place. See you there!")
    is_sound(player)

    for name in PLAYERS[:2]:
        page.goto(f"{cockpit}entries/?who={name}")
        page.get_by_role(
            "button", name=re.compile(rf"Enter (as a new player|{name})")
        ).first.click()
        expect(page.get_by_text(f"{name} has a place.")).to_be_visible()
    enter_list(page, cockpit, PLAYERS[2:8])
    is_sound(page)
    page.goto(f"{cockpit}check-in/")
    page.get_by_role("button", name="Check in Anna").click()
    expect(page.get_by_role("button", name="Here Anna")).to_be_visible()
    is_sound(page)
    check_all_in(page, cockpit)

    player.goto("/me/tables/")
    for number in (1, 2):
        expect(player.locator("main")).to_contain_text("No table right now")
        page.goto(cockpit)
        if number == 1:
            press(page, "Start the event", "The event has started")
        else:
            press(page, "Draw and publish", "The round is being drawn")
        expect(page.get_by_role("heading", name=f"Results of round {number}")).to_be_visible(
            timeout=DRAWN
        )
        expect(player.locator("main")).to_contain_text("Your next table", timeout=DRAWN)
        is_sound(player)
        enter_results(page, tables=3)
    press(page, "Finish the stage", "The stage is finished")
    press(page, "Finish the event", "The event is over")

    player.goto(f"{shown(cockpit)}stages/1/")
    expect(player.locator("tbody tr")).to_have_count(9)
    is_sound(player)


def test_a_cup_with_groups_and_a_final_on_a_phone(organiser: Page) -> None:
    page = organiser
    cockpit = new_event(page, "Wintercup", 24, scoring="who finished where")
    plan(page, cockpit, "swiss", rounds=1, groups=2)
    plan(page, cockpit, "final", takes=2)
    press(page, "Open entries", "Entries are open")
    enter_list(page, cockpit, PLAYERS)
    check_all_in(page, cockpit)

    page.goto(cockpit)
    for tables, button in ((6, "Start the event"), (1, "Start the stage")):
        look_and_publish(page, button, number=1)
        enter_results(page, tables)
        press(page, "Finish the stage", "The stage is finished")
    press(page, "Finish the event", "The event is over")

    page.goto(shown(cockpit))
    expect(page.get_by_role("heading", name="Final ranking")).to_be_visible()
    ranks = page.locator("tbody .rank").all_inner_texts()
    assert ranks[:4] == ["1", "2", "3", "4"], "the final table decides the first places"
    assert len(ranks) == 24
    is_sound(page)


class Taps:
    """A phone whose taps are counted: a tap is one, and so is a field that is typed into."""

    def __init__(self, page: Page) -> None:
        self.page, self.count = page, 0

    def tap(self, name: str | re.Pattern[str]) -> None:
        """Tap the first button or link of that name in the page."""
        main, exact = self.page.locator("main"), isinstance(name, str)
        button = main.get_by_role("button", name=name, exact=exact)
        button.or_(main.get_by_role("link", name=name, exact=exact)).first.click()
        self.count += 1


def test_the_second_evening_is_drawn_by_a_few_taps(organiser: Page) -> None:
    page = organiser
    cockpit = new_event(page, "Becherabend 1", 12, scoring="who finished where")
    plan(page, cockpit, "pods", rounds=2)
    page.goto(f"{cockpit}attendance/")
    press(page, "Enter them", "Tick somebody, or type a name.")
    page.get_by_label("Others").fill(
        "\n".join(f"{number}. {name}" for number, name in enumerate(PLAYERS[:9], 1))
    )
    is_sound(page)
    press(page, "Enter them", "9 players are checked in.")
    is_sound(page)
    press(page, "Start the event", "The event has started")
    expect(page.get_by_role("heading", name="Results of round 1")).to_be_visible(timeout=DRAWN)

    taps = Taps(page)
    page.goto(f"{cockpit}again/")  # Organise, Events, Same as last time: three taps
    taps.count += 3
    is_sound(page)
    taps.tap("Plan the event")
    is_sound(page)
    assert page.get_by_role("checkbox", checked=True).count() == 9 + 1, (
        "who was there the last time, and that they are"
    )
    page.get_by_label("Anna", exact=True).uncheck()
    page.get_by_label("Others").fill("Zoltan")
    taps.count += 2
    taps.tap("Enter them")
    taps.tap("Start the event")
    expect(page.get_by_role("heading", name="Results of round 1")).to_be_visible(timeout=DRAWN)
    expect(page.locator(".table-tile")).to_have_count(3)
    assert taps.count <= 12
    taps.count = 0
    page.get_by_label("Name of somebody who’s here").fill("Xaver")
    taps.count += 1
    taps.tap("Enter and check in")
    expect(page.get_by_text("1 player is checked in.")).to_be_visible()
    assert taps.count <= 2
    taps.count = 0
    taps.tap("Check in")
    is_sound(page)
    taps.tap("Mark as left Xaver")
    expect(page.get_by_role("button", name="Mark as back Xaver")).to_be_visible()
    assert taps.count <= 2
    is_sound(page)
