"""What a club prints is one page: how a game is played, on A4, and its score card, on A4 and A5."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser

from tests.browser.service import Site

PRINTED = [
    *[(f"/docs/how-to-{kind}", "A4") for kind in ("bluff", "luegen-kniffel")],
    *[(f"/score-cards/{kind}/", paper) for kind in ("bluff", "luegen-kniffel") for paper in ("A4", "A5")],
]


@pytest.mark.parametrize("language", ["en-GB", "de-DE", "nl-NL"])
@pytest.mark.parametrize(("path", "paper"), PRINTED)
def test_it_fits_one_page(browser: Browser, site: Site, path: str, paper: str, language: str) -> None:
    context = browser.new_context(base_url=site.url, locale=language)
    page = context.new_page()
    page.goto(path)
    assert len(re.findall(rb"/Type\s*/Page\b(?!s)", page.pdf(format=paper))) == 1
    context.close()
