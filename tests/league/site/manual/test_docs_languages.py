"""The manual speaks every language of the pages: the words differ, and nothing else does."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from league.languages import ENGLISH
from league.site.manual.web import PAGES, manual, page_file
from tests.languages import languages_of
from tests.league.site.manual.test_docs import RULINGS, ids

in_every_translation = pytest.mark.parametrize(
    ("page", "language"),
    [(page, language) for page in PAGES for language in languages_of(page)[1:]],
)
SOURCE = {"en": "source", "de": "Quelle", "nl": "bron"}


def found(pattern: str, page: str, language: str) -> list[str]:
    """What a pattern finds in the HTML of a page, in order."""
    return re.findall(pattern, manual(page, language).html, re.DOTALL)


def rows_of_each_table(page: str, language: str) -> list[int]:
    return [table.count("<tr>") for table in found("<table>.*?</table>", page, language)]


@in_every_translation
def test_every_page_is_translated(page: str, language: str) -> None:
    assert manual(page, language).language == language, (
        f"templates/docs/{page}.{language}.md is missing"
    )
    assert manual(page, language).html != manual(page, ENGLISH).html


@in_every_translation
def test_an_anchor_is_the_same_in_all_languages(page: str, language: str) -> None:
    assert ids(page, language) == ids(page, ENGLISH)


@in_every_translation
def test_headings_have_the_same_levels(page: str, language: str) -> None:
    assert found(r"<h(\d)", page, language) == found(r"<h(\d)", page, ENGLISH)


@in_every_translation
def test_blocks_of_code_are_not_translated(page: str, language: str) -> None:
    fence = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
    assert fence.findall(page_file(page, language).read_text("utf-8")) == fence.findall(
        page_file(page, ENGLISH).read_text("utf-8")
    )


@in_every_translation
def test_words_of_code_are_not_translated_and_none_is_lost(page: str, language: str) -> None:
    word = "<code>[^<]*</code>"
    assert Counter(found(word, page, language)) == Counter(found(word, page, ENGLISH))


@in_every_translation
def test_tables_have_the_same_rows(page: str, language: str) -> None:
    assert rows_of_each_table(page, language) == rows_of_each_table(page, ENGLISH)


@in_every_translation
def test_links_lead_to_the_same_places(page: str, language: str) -> None:
    link = 'href="([^"]+)"'
    assert Counter(found(link, page, language)) == Counter(found(link, page, ENGLISH))


@pytest.mark.parametrize("language", languages_of("rules"))
def test_every_ruling_has_its_number_and_its_source(language: str) -> None:
    assert language in SOURCE, (
        f"name in SOURCE how templates/docs/rules.{language}.md calls a source"
    )
    rulings = re.split("(?=<h[23])", manual("rules", language).html)
    by_number = {
        title[1]: part for part in rulings if (title := re.match(r'<h3 id="(\w+)">', part))
    }
    assert list(by_number) == RULINGS
    for number, part in by_number.items():
        assert f">{number.upper()} " in part
        assert re.search(
            rf"<em>{SOURCE[language]}:</em>|<th>{SOURCE[language]}</th>", part, re.IGNORECASE
        ), number


@pytest.mark.parametrize("language", languages_of("rules"))
def test_a_reader_gets_the_manual_in_their_language(client: Client, language: str) -> None:
    html = client.get(reverse("rules"), headers={"accept-language": language}).content.decode()
    assert (
        f'<article class="prose" lang="{language}">{manual("rules", language).html}</article>'
        in html
    )


@pytest.fixture
def only_english(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    (tmp_path / "start.md").write_text("# First steps\n")
    monkeypatch.setattr("league.site.manual.web.FOLDER", tmp_path)
    manual.cache_clear()
    yield
    manual.cache_clear()


@pytest.mark.usefixtures("only_english")
def test_a_page_without_translation_is_shown_in_english_and_says_so_in_the_readers_language(
    client: Client,
) -> None:
    german = client.get(
        reverse("doc", args=["start"]), headers={"accept-language": "de"}
    ).content.decode()
    assert '<article class="prose" lang="en"><h1>First steps</h1>' in german
    assert "Diese Seite ist noch nicht übersetzt" in german
    english = client.get(reverse("doc", args=["start"])).content.decode()
    assert "isn’t translated" not in english
