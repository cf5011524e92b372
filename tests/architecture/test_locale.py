"""German and Dutch are complete: every string that a page marks is translated. Other languages may
lack some.

Whatever a catalogue says is right in form, and its compiled file is fresh.
"""

import ast
import re
import string
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import polib
import pytest
from django.template import Engine
from django.templatetags.i18n import BlockTranslateNode
from django.utils import translation

from engine.messages import templates
from league.languages import ENGLISH, catalogue_file, translated_share
from league.templatetags.figures import percent
from tests.languages import COMPLETE, TRANSLATIONS

ROOT = Path(__file__).parents[2]
TEMPLATES = ROOT / "templates"
MARKED_IN_TEMPLATES = re.compile(r"""{%\s*translate\s+"([^"]+)"|_\("([^"]+)"\)""")
MARKERS = {"_", "gettext", "gettext_lazy", "ngettext", "pgettext", "pgettext_lazy"}


@cache
def catalogue(language: str) -> polib.POFile:
    """The catalogue of a language; it takes half a second to read."""
    return polib.pofile(str(catalogue_file(language)))


@cache
def marked() -> frozenset[str]:
    """Every string literal that templates and Python mark for translation."""
    return frozenset([*marked_in_templates(), *marked_in_code()])


def marked_in_templates() -> Iterator[str]:
    for page in TEMPLATES.rglob("*.html"):
        for found in MARKED_IN_TEMPLATES.findall(page.read_text()):
            yield from (
                text.replace("%", "%%") for text in found if text
            )  # as Django's makemessages has it
        template = Engine.get_default().get_template(str(page.relative_to(TEMPLATES)))
        for block in template.nodelist.get_nodes_by_type(BlockTranslateNode):
            assert isinstance(block, BlockTranslateNode)
            yield block.render_token_list(block.singular)[0]


def marked_in_code() -> Iterator[str]:
    for app in ("games", "league"):
        for module in (ROOT / app).rglob("*.py"):
            for node in ast.walk(ast.parse(module.read_text())):
                if (
                    isinstance(node, ast.Call)
                    and isinstance(node.func, ast.Name)
                    and node.func.id in MARKERS
                ):
                    text = node.args[node.func.id.startswith("pgettext")] if node.args else None
                    if isinstance(text, ast.Constant) and isinstance(text.value, str):
                        yield text.value


def test_no_words_are_marked_within_an_f_string() -> None:
    """Older versions of xgettext, which `make messages` calls, don't see them there, and would lose
    them."""
    within = [
        f"{module.relative_to(ROOT)}:{call.lineno}"
        for app in ("engine", "games", "league")
        for module in (ROOT / app).rglob("*.py")
        for text in ast.walk(ast.parse(module.read_text()))
        if isinstance(text, ast.JoinedStr)
        for call in ast.walk(text)
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Name)
        and call.func.id in {*MARKERS, "say"}
    ]
    assert within == []


@cache
def sentences() -> frozenset[str]:
    """Every template of the messages that checkers and services say."""
    return frozenset(
        template
        for folder in ("engine", "games", "league")
        for template in templates(ROOT / folder)
    )


def filled(template: str) -> set[tuple[str | None, ...]]:
    """The values that a template takes, each with how it is written."""
    return {
        tuple(field[1:]) for field in string.Formatter().parse(template) if field[1] is not None
    }


def texts(entries: Iterable[Any]) -> dict[tuple[str | None, str], tuple[str, dict[int, str]]]:
    """What stands for each context and string."""
    return {(entry.msgctxt, entry.msgid): (entry.msgstr, entry.msgstr_plural) for entry in entries}


def test_each_language_has_a_catalogue_and_each_catalogue_a_language() -> None:
    catalogues = {
        file.parents[1].name for file in ROOT.glob("league/locale/*/LC_MESSAGES/django.po")
    }
    unmade, unnamed = set(TRANSLATIONS) - catalogues, catalogues - set(TRANSLATIONS)
    assert not unmade, (
        f"make messages makes catalogues of folders in league/locale; there is none for {unmade}"
    )
    assert not unnamed, f"LANGUAGES in league/settings.py doesn't name {unnamed}"
    assert set(COMPLETE) <= set(TRANSLATIONS)


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_every_marked_string_is_in_the_catalogue(language: str) -> None:
    lacking = sorted((marked() | sentences()) - {entry.msgid for entry in catalogue(language)})
    assert not lacking, (
        f"make messages brings them into {catalogue_file(language).relative_to(ROOT)}"
    )


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_the_head_of_a_catalogue_names_its_language(language: str) -> None:
    head = catalogue(language)
    assert head.metadata["Language"] == language, f"write Language: {language} into its head"
    assert not head.metadata_is_fuzzy, "take the mark fuzzy away from its head"


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_a_translation_has_all_forms_or_none(language: str) -> None:
    plurals = [entry.msgstr_plural.values() for entry in catalogue(language) if entry.msgid_plural]
    assert not [list(forms) for forms in plurals if any(forms) and not all(forms)]


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_pages_tell_the_share_that_is_translated(language: str) -> None:
    entries = catalogue(language)
    assert translated_share(language) == len(entries.translated_entries()) / len(entries)


@pytest.mark.parametrize("language", COMPLETE)
def test_every_marked_string_is_translated(language: str) -> None:
    translated = {entry.msgid for entry in catalogue(language).translated_entries()}
    assert not sorted(marked() - translated)


@pytest.mark.parametrize("language", COMPLETE)
def test_nothing_in_the_catalogue_is_left_open(language: str) -> None:
    found = catalogue(language)
    assert not [entry.msgid for entry in (*found.untranslated_entries(), *found.fuzzy_entries())]


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_the_compiled_file_is_what_the_catalogue_says(language: str) -> None:
    compiled = polib.mofile(
        str(ROOT / "league" / "locale" / language / "LC_MESSAGES" / "django.mo")
    )
    assert texts(compiled) == texts(catalogue(language).translated_entries())


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_placeholders_survive_the_translation(language: str) -> None:
    placeholder = re.compile(r"%\(\w+\)[sd]|{\w*}|%s")
    for entry in catalogue(language).translated_entries():
        wanted = set(placeholder.findall(entry.msgid + (entry.msgid_plural or "")))
        for text in [entry.msgstr] if entry.msgstr else entry.msgstr_plural.values():
            assert set(placeholder.findall(text)) <= wanted, entry.msgid


@pytest.mark.parametrize("language", COMPLETE)
def test_whatever_a_checker_says_is_translated(language: str) -> None:
    messages = sentences()
    assert {
        "the text is empty",
        "two seats are the same player",
        "{bid} does not raise {last}",
    } <= messages
    assert not sorted(
        messages - {entry.msgid for entry in catalogue(language).translated_entries()}
    )


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_whatever_a_checker_says_is_translated_with_the_same_values(language: str) -> None:
    translated = {
        entry.msgid: entry.msgstr
        for entry in catalogue(language).translated_entries()
        if not entry.msgctxt
    }
    for template in sentences() & translated.keys():
        assert filled(translated[template]) == filled(template), template


@pytest.mark.parametrize("language", [ENGLISH, *TRANSLATIONS])
def test_per_cent_is_written_as_the_language_writes_it(language: str) -> None:
    """`95%` in English and Dutch, `95 %` in German: on the pages, in figures and in the manual."""
    with translation.override(language):
        written = percent(0.37)
    assert written == {"en": "37%", "de": "37\u202f%", "nl": "37%"}.get(language, written)
    if language == ENGLISH:
        words = [entry.msgid for entry in catalogue("de")]
        manual = [page for page in TEMPLATES.glob("docs/*.md") if page.name.count(".") == 1]
    else:
        words = [
            text
            for entry in catalogue(language)
            for text in (entry.msgstr, *entry.msgstr_plural.values())
        ]
        manual = list(TEMPLATES.glob(f"docs/*.{language}.md"))
    wrong = r"\d\s%" if written == "37%" else r"\d%"
    texts_of_pages = [*words, *(page.read_text() for page in manual)]
    assert not [text for text in texts_of_pages if re.search(wrong, text.replace("%%", "%"))]
