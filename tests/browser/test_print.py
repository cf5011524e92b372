"""All that a club prints: how a game is played, on A4, and its score card, on A4 and A5; rankings,
and a bracket across."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.service import Site

CUP = "/clubs/becherkeller/events/herbstcup-2026/stages/"
SIDES = re.compile(rb"/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)")
PRINTED = [
    *[(f"/docs/how-to-{kind}", "A4") for kind in ("bluff", "luegen-kniffel")],
    *[
        (f"/score-cards/{kind}/", paper)
        for kind in ("bluff", "luegen-kniffel")
        for paper in ("A4", "A5")
    ],
]


@pytest.mark.parametrize("language", ["en-GB", "de-DE", "nl-NL"])
@pytest.mark.parametrize(("path", "paper"), PRINTED)
def test_it_fits_one_page(
    browser: Browser, site: Site, path: str, paper: str, language: str
) -> None:
    context = browser.new_context(base_url=site.url, locale=language)
    page = context.new_page()
    page.goto(path)
    assert len(re.findall(rb"/Type\s*/Page\b(?!s)", page.pdf(format=paper))) == 1
    context.close()


@pytest.mark.parametrize("path", ["2/", "2/bracket/"])
def test_a_bracket_is_one_page_across(page: Page, path: str) -> None:
    page.goto(f"{CUP}{path}")
    ((width, height),) = SIDES.findall(page.pdf(prefer_css_page_size=True))
    assert float(width) > float(height)


@pytest.mark.parametrize(
    ("path", "most"),
    [(f"{CUP}1/", 2), (f"{CUP}2/ranking/", 1), ("/clubs/becherkeller/herbstliga-2026/print/", 1)],
)
def test_a_ranking_is_printed_without_what_unfolds(page: Page, path: str, most: int) -> None:
    page.goto(path)
    why = page.get_by_text("Why here?")
    page.emulate_media(media="print")
    assert len(SIDES.findall(page.pdf(format="A4"))) <= most
    for one in why.all():
        expect(one).to_be_hidden()


def test_every_round_begins_a_page_and_has_its_name_above_each(page: Page) -> None:
    page.goto(f"{CUP}1/rounds/")
    page.emulate_media(media="print")
    first, *others = page.locator(".paged").all()
    assert others
    for one in others:
        expect(one).to_have_css("break-before", "page")
    for one in (first, *others):
        heading = one.get_by_role("heading", level=2).first
        expect(heading).to_have_css("display", "table-header-group")
        expect(heading).to_have_css("break-inside", "avoid")
        expect(heading).to_contain_text("Herbstcup")


def test_a_hall_of_250_tables_is_printed_on_few_pages(page: Page) -> None:
    page.goto(f"{CUP}1/rounds/1/")
    page.evaluate(
        """() => {
            const tables = document.querySelector(".tables-of-round");
            const drawn = tables.firstElementChild.cloneNode(true);
            for (const game of drawn.querySelectorAll("p")) game.remove();
            while (tables.children.length < 250) tables.append(drawn.cloneNode(true));
        }"""
    )
    assert len(SIDES.findall(page.pdf(format="A4"))) <= 12, (
        "as it is drawn, before anybody has played"
    )
