"""The manual speaks every language of the pages: the words differ, and nothing else does."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from league.languages import ENGLISH
from league.site.manual.web import PAGES, manual, page_file
from tests.languages import languages_of
from tests.league.site.manual.test_docs import RULINGS, ids

TRANSLATIONS = [(page, language) for page in PAGES for language in languages_of(page)[1:]]
SOURCE = {"en": "source", "de": "Quelle", "nl": "bron"}


def in_html(pattern: str, page: str, language: str) -> list[str]:
    """What a pattern finds in the HTML of a page, in order."""
    return re.findall(pattern, manual(page, language).html, re.DOTALL)


def levels_of_headings(page: str, language: str) -> list[str]:
    return in_html(r"<h(\d)", page, language)


def blocks_of_code(page: str, language: str) -> list[str]:
    fence = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
    return fence.findall(page_file(page, language).read_text("utf-8"))


def words_of_code(page: str, language: str) -> Counter[str]:
    return Counter(in_html("<code>[^<]*</code>", page, language))


def rows_of_each_table(page: str, language: str) -> list[int]:
    return [table.count("<tr>") for table in in_html("<table>.*?</table>", page, language)]


def links(page: str, language: str) -> Counter[str]:
    return Counter(in_html('href="([^"]+)"', page, language))


def test_every_page_is_translated() -> None:
    for page, language in TRANSLATIONS:
        translated = manual(page, language)
        assert translated.language == language, f"templates/docs/{page}.{language}.md is missing"
        assert translated.html != manual(page, ENGLISH).html, (page, language)


@pytest.mark.parametrize(
    "part_of",
    [ids, levels_of_headings, blocks_of_code, words_of_code, rows_of_each_table, links],
    ids=lambda part_of: part_of.__name__,
)
def test_nothing_but_the_words_differs(part_of: Callable[[str, str], object]) -> None:
    unlike = [
        (page, language)
        for page, language in TRANSLATIONS
        if part_of(page, language) != part_of(page, ENGLISH)
    ]
    assert unlike == []


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
