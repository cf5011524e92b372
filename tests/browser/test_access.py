"""Everybody can use the pages: axe finds nothing, on a phone and on a desk, in light and in dark,
nothing sticks out at the side, and no type is smaller than 11 px."""

import json
from collections.abc import Iterator
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, StorageState

from league.records.replay.web import pack
from tests.browser.conftest import FLAGS, GLUED, STICKS_OUT, complaints_of, faults, program, sign_in
from tests.browser.pages import ORGANISER, PAGES, PROVEN, PageAt
from tests.browser.service import Site
from tests.factories.records import bluff_record, line

SCREENS: list[dict[str, Any]] = [
    {"viewport": {"width": 390, "height": 844}, "color_scheme": "light"},
    {"viewport": {"width": 1280, "height": 900}, "color_scheme": "dark"},
]


THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
WALKED = [(name, page) for name, pages in PAGES.items() for page in pages]
LEAST_TYPE = 11
"""In CSS pixels."""
STAGED = "import json; from tests.browser.staged import staged; print(json.dumps(staged()))"
SMALL_TYPE = """least => {
  const small = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const part = walker.currentNode.parentElement;
    if (!walker.currentNode.textContent.trim() || part.closest("script, noscript, title, .sr-only")) continue;
    if (!part.checkVisibility({ visibilityProperty: true })) continue;
    const scale = part.ownerSVGElement ? Math.hypot(part.getScreenCTM().a, part.getScreenCTM().b) : 1;
    if (parseFloat(getComputedStyle(part).fontSize) * scale < least - 0.05) small.add(part.outerHTML.slice(0, 80));
  }
  return [...small];
}"""


@pytest.fixture(scope="session")
def beside(site: Site) -> dict[str, str]:
    """The public ids of what is staged beside the demo, once for the service, whoever walks which
    pages."""
    staged: dict[str, str] = json.loads(site.run(STAGED))
    return staged


@pytest.fixture(scope="module")
def known(
    site: Site, ids: dict[str, str], beside: dict[str, str], browser: Browser
) -> dict[str, str]:
    """The public ids of the demo and of what is staged beside it, a file that waits to be
    confirmed, a packed game."""
    context = browser.new_context(
        base_url=site.url, storage_state=signed_in(browser, site, ORGANISER)
    )
    page = context.new_page()
    page.goto("/clubs/becherkeller/herbstliga-2026/import/")
    record = line(bluff_record(1, id="waiting", seats=["rosa", "karl"]))
    page.locator("input[type=file]").set_input_files(
        {"name": "a.jsonl", "mimeType": "text/plain", "buffer": record}
    )
    page.locator("main form button[type=submit], main form button:not([type])").first.click()
    page.wait_for_url("**/imports/**")
    job = page.url.rstrip("/").rsplit("/", 1)[-1]
    context.close()
    return ids | beside | {"job": job, "packed": pack(line(bluff_record(3)).decode())}


STATES: dict[str, StorageState] = {}


def signed_in(browser: Browser, site: Site, account: str) -> StorageState | None:
    """The cookies of an account of the demo; None for nobody."""
    if account and account not in STATES:
        context = browser.new_context(base_url=site.url, locale="en-GB")
        if account in PROVEN:
            key = site.run(
                f"from tests.browser.staged import proven; print(proven({account!r}))"
            ).strip()
            context.add_cookies([{"name": "sessionid", "value": key, "url": site.url}])
        else:
            sign_in(context.new_page(), account)
        STATES[account] = context.storage_state()
        context.close()
    return STATES.get(account)


@pytest.fixture(scope="module")
def contexts(browser: Browser) -> Iterator[dict[str, BrowserContext]]:
    """The browsers that were opened, by the account: each fetches styles, fonts and scripts
    once."""
    opened: dict[str, BrowserContext] = {}
    yield opened
    for context in opened.values():
        context.close()


@pytest.fixture
def walked(
    request: pytest.FixtureRequest,
    browser: Browser,
    site: Site,
    contexts: dict[str, BrowserContext],
) -> Iterator[Page]:
    """A page of a browser for who may open it."""
    _, at = request.param
    if at.account not in contexts:
        state = signed_in(browser, site, at.account)
        contexts[at.account] = browser.new_context(
            base_url=site.url, locale="en-GB", storage_state=state, reduced_motion="reduce"
        )
    page = contexts[at.account].new_page()
    yield page
    page.close()


@pytest.mark.parametrize(
    ("walked", "at"),
    [((name, at), at) for name, at in WALKED],
    indirect=["walked"],
    ids=[at.path for _, at in WALKED],
)
def test_a_page_is_for_everybody(walked: Page, at: PageAt, known: dict[str, str]) -> None:
    complaints = complaints_of(walked)
    answer = walked.goto(at.path.format_map(known))
    assert answer
    missing = "damaged" in at.path and "replay" in at.path
    assert answer.status == (404 if missing else 200)
    assert walked.url.split("?")[0].endswith(at.path.format_map(known).split("?")[0].lstrip("/")), (
        "it leads nowhere else"
    )
    for width in (320, 390, 1280):
        walked.set_viewport_size({"width": width, "height": 900})
        assert walked.evaluate(STICKS_OUT) <= 0, f"nothing sticks out at the side at {width} px"
        assert not walked.evaluate(SMALL_TYPE, LEAST_TYPE), f"type smaller than 11 px at {width} px"
        if width > 320:
            assert walked.evaluate(GLUED) == [], f"nothing touches a button at {width} px"
    for theme in THEMES:
        walked.emulate_media(color_scheme=theme, reduced_motion="reduce")
        for width in (390, 1280):
            walked.set_viewport_size({"width": width, "height": 900})
            # Nothing but the contrast changes with the theme or on a desk.
            on_a_phone = theme == "light" and width == 390
            assert not faults(walked, contrast_alone=not on_a_phone), f"{theme}, {width} px"
    assert len(complaints) == missing, complaints


@pytest.mark.parametrize(
    "path", ["/", "/clubs/becherkeller/herbstliga-2026/", "/games/{bluff}/", "/games/{kniffel}/"]
)
def test_twice_the_type_sticks_out_nowhere(
    browser: Browser, site: Site, ids: dict[str, str], path: str
) -> None:
    """As a reader's own setting of the browser has it: media queries know of it, too."""
    large = browser.browser_type.launch(
        executable_path=program(), args=[*FLAGS, "--blink-settings=defaultFontSize=32"]
    )
    for width in (640, 1280):
        page = large.new_page(base_url=site.url, viewport={"width": width, "height": 900})
        page.goto(path.format_map(ids))
        assert (
            page.evaluate("parseFloat(getComputedStyle(document.documentElement).fontSize)") == 32
        )
        assert page.evaluate(STICKS_OUT) <= 0
    large.close()


@pytest.mark.parametrize("game", ["bluff", "kniffel"])
def test_a_game_is_printed_on_two_pages(page: Page, ids: dict[str, str], game: str) -> None:
    page.goto(f"/games/{ids[game]}/")
    assert page.pdf(format="A4", prefer_css_page_size=True).count(b"/Type /Page\n") == 2


@pytest.mark.parametrize(
    ("locale", "word"), [("de-DE", "Platz"), ("nl-NL", "Speler"), ("en-GB", "Player")]
)
def test_a_reader_gets_their_language(browser: Browser, site: Site, locale: str, word: str) -> None:
    context = browser.new_context(base_url=site.url, locale=locale)
    page = context.new_page()
    page.goto("/clubs/becherkeller/herbstliga-2026/")
    assert page.locator("html").get_attribute("lang") == locale[:2]
    assert word in page.locator("table.ledger thead").inner_text()
    context.close()
