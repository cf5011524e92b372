"""A phone reaches a fresh service by the laptop's address, which isn't loopback, over plain
HTTP."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Page, expect

from league.up.network import terminal_code
from tests.browser.conftest import PATIENCE, complaints_of, is_sound
from tests.browser.namespaces import LAPTOP, Namespaces, namespaces
from tests.browser.scorer import PHONE, Phone
from tests.browser.service import Site, running

PASSWORD = "three stars and a lie"
MAKE = f"""
import json
from datetime import date
from league.models import Role, User
from league.core.club.services import club_create
from league.core.member.services.member import member_add
from league.models import Event, Table
from league.standings.season.services.season import season_create
from league.sheets.device.services.device import device_make
from tests.factories import events
club = club_create(actor=events.ACTOR, slug="keller", name="Keller", timezone="Europe/Berlin")
host = User.objects.create_user("wirtin", "wirtin@example.org", "{PASSWORD}")
member_add(club=club, user=host, role=Role.ORGANISER, actor=events.ACTOR)
season = season_create(club=club, actor=events.ACTOR, slug="herbst", name="Herbst", starts_on=date(2026, 9, 3))
for slug, prefix in (("abend", "gast"), ("runde", "freund")):
    night = events.event(season, slug, status=Event.Status.RUNNING)
    events.crowd(night, 4, prefix)
    events.drawn(events.stage(night, sizes=[4]))
table = Table.objects.get(stage_round__stage__event=night)
print(json.dumps([table.public_id, device_make(subject=table, actor=events.ACTOR)[1]]))
"""
READ_CODE = """async ([address, width, height, picture]) => {
  const { decodeQR } = await import(address);
  const image = new Image();
  image.src = picture;
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  const pen = canvas.getContext("2d");
  pen.drawImage(image, 0, 0, width, height);
  return decodeQR(pen.getImageData(0, 0, width, height));
}"""
"""Read a picture of a code as a phone's camera would."""


class Evening(NamedTuple):
    """The service on the laptop, what its console shows, a table of its event and a key for it."""

    both: Namespaces
    site: Site
    console: str
    table: str
    key: str

    @property
    def origin(self) -> str:
        """Return the address that the console names to phones."""
        named = re.search(r"Phones in your network open (\S+)/\n", self.console)
        assert named, self.console
        return named[1]


@pytest.fixture(scope="module")
def evening() -> Iterator[Evening]:
    """`HOST=0.0.0.0 make up` on a laptop that has one address in a network, and an evening that
    runs."""
    with (
        namespaces() as both,
        running(
            until="worker-counting  ",
            within=both.within(both.laptop),
            HOST="0.0.0.0",
        ) as (site, console),
    ):
        table, key = json.loads(site.run(MAKE))
        yield Evening(both, site, console, table, key)


@pytest.fixture
def laptop(browser: Browser, evening: Evening, tmp_path: Path) -> Iterator[Page]:
    """The organiser at the laptop, who opens what the console names for this machine."""
    chromium = evening.both.browser(browser.browser_type, evening.both.laptop, tmp_path)
    page = chromium.new_page(base_url=evening.site.url, locale="en-GB")
    page.goto("/accounts/login/")
    page.locator("[name=login]").fill("wirtin@example.org")
    page.locator("[name=password]").fill(PASSWORD)
    page.locator("main form .btn-primary").first.click()
    page.wait_for_url("**/")
    yield page
    chromium.close()


@pytest.fixture
def phone(browser: Browser, evening: Evening, tmp_path: Path) -> Iterator[Page]:
    """A phone that has no account."""
    chromium = evening.both.browser(browser.browser_type, evening.both.phone, tmp_path)
    context = chromium.new_context(base_url=evening.origin, **PHONE)
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    complaints = complaints_of(page)
    yield page
    assert not [words for words in complaints if "net::ERR_INTERNET_DISCONNECTED" not in words]
    chromium.close()


def code_on(page: Page) -> str:
    """Scan the code that a page shows."""
    shot = page.locator("svg.qr").first.screenshot()
    box = page.locator("svg.qr").first.bounding_box()
    assert box
    picture = f"data:image/png;base64,{b64encode(shot).decode()}"
    read: str = page.evaluate(
        READ_CODE, ["/static/league/qr/decode.js", box["width"], box["height"], picture]
    )
    return read


def test_a_phone_opens_what_the_console_shows_scans_claims_and_enters_a_result(
    evening: Evening, laptop: Page, phone: Page
) -> None:
    assert evening.origin == f"http://{LAPTOP}:{evening.site.url.rsplit(':', 1)[1]}"
    assert terminal_code(f"{evening.origin}/") in evening.console
    phone.goto(evening.origin)
    assert not phone.evaluate("isSecureContext")
    expect(phone.get_by_text("Keller").first).to_be_visible()

    phone.goto("/clubs/keller/events/abend/")
    phone.get_by_role("button", name="Share", exact=True).click()
    expect(phone.locator("#announce")).to_have_text("Link copied")

    laptop.goto("/clubs/keller/desk/events/abend/check-in/")
    laptop.get_by_role("link", name=re.compile("^Code for the wall")).click()
    expect(laptop.get_by_role("heading", name="For the wall")).to_be_visible()
    expect(laptop.get_by_text("opens only on the computer that runs Cups Up")).to_have_count(0)
    address = code_on(laptop)
    assert address.startswith(evening.origin)

    phone.goto(address)
    phone.get_by_role("button", name="This is me gast1", exact=True).click()
    expect(phone.get_by_text("You’re now gast1 here.")).to_be_visible()
    phone.goto("/me/tables/")
    phone.get_by_role("link", name="Enter a result").click()
    expect(phone.get_by_role("button", name="Start again")).to_be_visible()
    is_sound(phone)
    for one in phone.locator("[data-places] .tap").all()[:-1]:
        one.click()
    phone.get_by_role("button", name="Seal now").click()
    expect(phone.get_by_text("The result is in")).to_be_visible()


def test_writing_sending_and_the_code_work_without_https(evening: Evening, phone: Page) -> None:
    scorer = Phone(phone)
    phone.goto(f"/score/{evening.table}/#{evening.key}")
    scorer.shows("All sent")
    expect(
        phone.get_by_text("Keep this page open: it can’t reopen without a network.")
    ).to_be_visible()
    is_sound(phone)
    scorer.round(0, "3 fours", "2 dice count")
    scorer.shows("All sent")
    evening.both.cut()
    scorer.round(1, "3 fours", "2 dice count")
    expect(phone.locator("#score-state")).to_contain_text("No network", timeout=PATIENCE)
    scorer.tap("More")
    scorer.tap("Show as a code")
    expect(phone.get_by_role("img", name="Code for what isn’t sent yet")).to_be_visible()
    evening.both.cut(cut=False)
    phone.evaluate("dispatchEvent(new Event('online'))")
    scorer.shows("All sent")
