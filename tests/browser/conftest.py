"""Real Chromium against the real service, with its worker and the demo, in a folder and a database
of its own."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.base import AxeResults
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright
from pytest_django import DjangoDbBlocker

from tests.browser.service import Site, light, make_demo, running
from tests.database import clone

PATIENCE = 30_000
"""So many milliseconds a page may take to say what it should, on a busy machine."""
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whatever stands in this folder drives a browser."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker("browser")


@pytest.fixture(scope="session")
def site(django_db_blocker: DjangoDbBlocker) -> Iterator[Site]:
    """A light service with the demo, for all tests of this process; some module's browser may run
    before it."""
    with django_db_blocker.unblock(), pytest.MonkeyPatch.context() as patch:
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
        template = make_demo()
    with clone(template) as name, light(name) as site:
        yield site


@pytest.fixture(scope="session")
def up() -> Iterator[tuple[Site, str]]:
    """`manage.py up` as it comes, and what its console shows; who puts something into it empties it
    in the end."""
    with running(until="/setup/?token=") as up:
        yield up


PUBLIC_IDS = """
import json
from games.models import Game, Kind, Void
from league.models import Draw, Entry, HallPlace, OnlineTable, Player, Table
games = Game.objects.order_by("pk")
tables = Table.objects.filter(stage_round__stage__event__slug="herbstcup-2026").order_by("pk")
print(json.dumps({
    "player": Player.objects.earliest("pk").public_id,
    "bluff": games.filter(kind=Kind.BLUFF)[0].public_id,
    "kniffel": games.filter(kind=Kind.LUEGEN_KNIFFEL)[0].public_id,
    "voided": Void.objects.earliest("pk").game.public_id,
    "table": tables[0].public_id,
    "open_table": tables.filter(results=None)[0].public_id,
    "draw": Draw.objects.order_by("pk")[0].public_id,
    "entry": Entry.objects.filter(event__slug="offener-abend").order_by("pk")[0].public_id,
    "cup_entry": Entry.objects.filter(event__slug="herbstcup-2026").order_by("pk")[0].public_id,
    "lobby": OnlineTable.objects.filter(status="lobby").earliest("pk").public_id,
    "online": OnlineTable.objects.filter(status="playing", move_days=0).earliest("pk").public_id,
    "turns": OnlineTable.objects.filter(status="playing", move_days__gt=0).earliest("pk").public_id,
    "place": HallPlace.objects.filter(event__slug="herbstcup-2026").order_by("pk")[0].public_id,
}))
"""


@pytest.fixture(scope="session")
def ids(site: Site) -> dict[str, str]:
    """Public ids of the demo: of a player, games, tables, a draw, and somebody who is entered for a
    night."""
    public_ids: dict[str, str] = json.loads(site.run(PUBLIC_IDS))
    return public_ids


CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
SHELL = ("chromium-headless-shell", *CHROMIUM)
"""The names of Chromium; its shell without windows does the same with less work, but takes no push
messages."""


def program(names: Sequence[str] = SHELL) -> str | None:
    """Where Chromium is; None if it isn't found."""
    return next(filter(None, map(shutil.which, names)), None)


@pytest.fixture(scope="module")
def browser(request: pytest.FixtureRequest) -> Iterator[Browser]:
    """Chromium. No longer than for a module: Playwright's event loop runs in this thread, and
    Django refuses to ask the database beside one, as other tests of this process do."""
    path = program(getattr(request.module, "PROGRAMS", SHELL))
    if path is None and not os.environ.get("CI"):
        pytest.skip("there is no Chromium on this machine (Debian: apt-get install chromium)")
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture
def context_options() -> dict[str, Any]:
    return {}


@pytest.fixture
def context(
    browser: Browser, site: Site, context_options: dict[str, Any]
) -> Iterator[BrowserContext]:
    options = {
        "base_url": site.url,
        "locale": "en-GB",
        "reduced_motion": "reduce",
        **context_options,
    }
    context = browser.new_context(**options)
    context.set_default_timeout(PATIENCE)
    yield context
    context.close()


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """A page that must not complain: errors on the console (a broken CSP, too) fail the test."""
    page = context.new_page()
    complaints = complaints_of(page)
    yield page
    assert not complaints


def complaints_of(page: Page) -> list[str]:
    """The errors that a page tells on its console from now on; more come in while it is used."""
    complaints: list[str] = []
    page.on(
        "console",
        lambda message: complaints.append(message.text) if message.type == "error" else None,
    )
    page.on("pageerror", lambda error: complaints.append(str(error)))
    return complaints


AXE = Axe()


CONTRAST = ("color-contrast", "link-in-text-block")
"""The rules about colours: they take axe longest, and what looks alike is alike to them."""
ASKED = ("target-size", "label-content-name-mismatch")
"""Rules that axe leaves out unless it is asked for them."""
UNLIKE = """looks => {
  const naming = new RegExp("^(id|href|for|title|value|name|action|src|alt|datetime|d|points|hx-.*|"
    + "data-(?!state|theme|tap|copy|clock).*|aria-(label|labelledby|describedby|controls))$");
  const number = (text, from) =>
    [...text].reduce((before, sign) => (before * 31 + sign.codePointAt(0)) % 140737488355213, from);
  const sums = new Map([[null, number([...document.styleSheets].map(sheet => sheet.href).join(), 7)]]);
  const sum = element => {
    if (sums.has(element)) return sums.get(element);
    const attributes = [...element.attributes].filter(one => !naming.test(one.name));
    const odd = element.parentElement && [...element.parentElement.children].indexOf(element) % 2;
    const look = `${element.localName} ${attributes.map(one => `${one.name}=${one.value}`)} ${odd}`;
    sums.set(element, number(look, sum(element.parentElement)));
    return sums.get(element);
  };
  const before = new Set(looks);
  const unlike = new Map();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const part = walker.currentNode.parentElement;
    if (!walker.currentNode.textContent.trim() || !part.checkVisibility({ visibilityProperty: true })) continue;
    if (!before.has(sum(part)) && !unlike.has(sum(part))) unlike.set(sum(part), part);
  }
  window.unlike = [...unlike.values()];
  return [...unlike.keys()];
}"""
"""Parts with text that look like none before, by their elements, attributes and odd or even place
up to the page's root, as numbers: the contrast of a hundred rows that look alike is that of two of
them; a footer is every page's."""
LOOKS: dict[bool, set[int]] = {False: set(), True: set()}
"""The looks whose contrast this process has looked at in the light, and in the dark."""


def faults(page: Page, *, contrast_alone: bool = False) -> str:
    """What axe finds on a page, as a report; empty where it finds nothing."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.axe_script)
    reports = []
    looks = LOOKS[page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")]
    if unlike := page.evaluate(UNLIKE, list(looks)):
        reports.append(axe_report(page, "{include: window.unlike}", {"runOnly": CONTRAST}))
        if not reports[-1]:
            looks.update(unlike)
    if not contrast_alone:
        others = {rule: {"enabled": False} for rule in CONTRAST} | {
            rule: {"enabled": True} for rule in ASKED
        }
        reports.append(axe_report(page, "document", {"rules": others}))
    return "".join(reports)


def axe_report(page: Page, within: str, rules: dict[str, Any]) -> str:
    """What axe finds within something by some rules."""
    options = {"resultTypes": ["violations"], **rules}
    found = AxeResults(page.evaluate(f"options => axe.run({within}, options)", options))
    return found.generate_report() if found.violations_count else ""


STICKS_OUT = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


GLUED = """() => {
  const parts = [...document.querySelectorAll("main :is(.btn, .card, .note)")].filter(part => part.checkVisibility());
  const boxes = parts.map(part => part.getBoundingClientRect());
  const touch = (one, other) => {
    const [a, b] = [boxes[one], boxes[other]];
    const across = Math.max(a.left, b.left) - Math.min(a.right, b.right);
    const down = Math.max(a.top, b.top) - Math.min(a.bottom, b.bottom);
    return Math.max(across, down) < 3 && Math.min(across, down) < 0;
  };
  const within = (one, other) => one.contains(other) || other.contains(one) || one.closest(".join, dialog, .drop");
  return parts.flatMap((part, one) => parts.slice(one + 1)
    .filter((other, more) => touch(one, one + 1 + more) && !within(part, other))
    .map(other => `${part.innerText.slice(0, 40)} | ${other.innerText.slice(0, 40)}`));
}"""
"""Buttons, cards and notices that touch another one, or lie over it."""


def is_sound(page: Page) -> None:
    """Axe finds nothing on a page, nothing sticks out at the side, and nothing touches a button."""
    page.emulate_media(reduced_motion="reduce")  # nothing is measured halfway
    assert not faults(page), page.url
    assert page.evaluate(STICKS_OUT) <= 0, page.url
    assert page.evaluate(GLUED) == [], page.url


def sign_in(page: Page, email: str) -> None:
    """Sign in with an account of the demo, in any language."""
    page.goto("/accounts/login/")
    page.locator("[name=login]").fill(email)
    page.locator("[name=password]").fill("hoch-die-becher")
    page.locator("main form .btn-primary").first.click()
    page.wait_for_url("**/")
