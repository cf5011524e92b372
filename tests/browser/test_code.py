"""A phone without network shows its game as a code, and another one reads it: from a photo, and by
its camera."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import CHROMIUM, FLAGS, PATIENCE, is_sound, program, sign_in
from tests.browser.network import Network, network
from tests.browser.scorer import PHONE, Phone, TableAt, table_of, written
from tests.browser.service import Site

__all__ = ["network", "table_of"]
PROGRAMS = CHROMIUM
EVENT = """
from league.models import Table
event = Table.objects.select_related("stage_round__stage__event__club").get(public_id="{table}").stage_round.stage.event
print(f"/clubs/{{event.club.slug}}/desk/events/{{event.slug}}/codes/", end="")
"""


@pytest.fixture
def context_options() -> dict[str, Any]:
    return {**PHONE, "color_scheme": "dark"}


def camera_of(picture: Path, film: Path) -> None:
    """A film that shows a picture, as Chromium's false camera plays it: frames of brightness and
    two of colour."""
    side = 960
    image = Image.new("L", (side, side), 255)
    code = Image.open(picture).convert("L").resize((800, 800), Image.Resampling.NEAREST)
    image.paste(code, (80, 80))
    frame = b"FRAME\n" + image.tobytes() + b"\x80" * (side * side // 2)
    film.write_bytes(f"YUV4MPEG2 W{side} H{side} F10:1 Ip A1:1 C420\n".encode() + frame * 5)


def test_a_game_is_read_from_a_screen_and_comes_in_once(
    browser: Browser,
    page: Page,
    site: Site,
    network: Network,
    tmp_path: Path,
    table_of: Callable[..., TableAt],
) -> None:
    at = table_of(2, dice=2)
    context = browser.new_context(base_url=network.url, **PHONE)
    phone = Phone(context.new_page())
    phone.opened(at.address())
    network.is_cut = True
    for bidder, bid in ((0, "3 fours"), (1, "3 fours"), (0, "1 four")):
        phone.seat(bidder)
        for name in (bid, "2 dice count", "Done"):
            phone.tap(name)
    expect(phone.page.get_by_role("heading", name="The game is over")).to_be_visible()
    expect(phone.page.locator("#score-state")).to_contain_text("No network", timeout=PATIENCE)
    phone.tap("Show as a code")
    code = phone.page.get_by_role("img", name="Code for what isn’t sent yet")
    expect(code).to_be_visible()
    is_sound(phone.page)
    code.screenshot(path=tmp_path / "code.png")

    address = site.run(EVENT.format(table=at.table))
    sign_in(page, "scorer@example.org")
    page.goto(address)
    is_sound(page)
    page.locator("input[type=file]").set_input_files(tmp_path / "code.png")
    expect(page.get_by_text("3 entries read from the code.")).to_be_visible(timeout=PATIENCE)
    is_sound(page)
    assert len(written(site, at)[0]) == 3

    camera_of(tmp_path / "code.png", tmp_path / "code.y4m")
    flags = ["--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream"]
    flags.append(f"--use-file-for-fake-video-capture={tmp_path / 'code.y4m'}")
    with_camera = browser.browser_type.launch(
        executable_path=program(CHROMIUM), args=[*FLAGS, *flags]
    )
    reader = with_camera.new_page(base_url=site.url, locale="en-GB")
    sign_in(reader, "scorer@example.org")
    reader.goto(address)
    reader.get_by_role("button", name="Use camera").click()
    expect(reader.get_by_text("All of this is already on the sheet.")).to_be_visible(
        timeout=PATIENCE
    )
    reader.get_by_role("button", name="Confirm and seal").click()
    expect(reader.get_by_text("The game is sealed and counts from now on.")).to_be_visible()
    with_camera.close()

    network.is_cut = False
    phone.page.evaluate("dispatchEvent(new Event('online'))")
    expect(phone.page.get_by_role("heading", name="The game is sealed")).to_be_visible(
        timeout=PATIENCE
    )
    entries, sealed = written(site, at)
    assert (len(entries), sealed) == (3, 1)
    context.close()
