"""A language that lacks words: what it lacks is said in English, and every page tells how much that
is."""

import re
from datetime import date
from pathlib import Path
from typing import Any

import polib
import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation
from django.utils.formats import date_format
from django.utils.translation import gettext, ngettext

from engine.messages import say
from league.languages import ENGLISH, catalogue_file, partial_languages, translated_share

ESPERANTO = "eo"
NOTE = "%(share)s of these pages are in %(language)s, the rest is in English."
ENTRIES = [
    polib.POEntry(msgid="Manual", msgstr="Manlibro"),
    polib.POEntry(
        msgid=NOTE, msgstr="%(share)s el tiuj paĝoj estas en %(language)s, la cetero en la angla."
    ),
    polib.POEntry(msgid="the text is empty", msgstr=""),
    polib.POEntry(msgid="Rules", msgstr="Reguloj?", flags=["fuzzy"]),
    polib.POEntry(
        msgid="%(count)d time", msgid_plural="%(count)d times", msgstr_plural={0: "", 1: ""}
    ),
    polib.POEntry(
        msgid="%(count)d game",
        msgid_plural="%(count)d games",
        msgstr_plural={0: "%(count)d ludo", 1: ""},
    ),
    polib.POEntry(msgid='Search "all"\nof it', msgstr='Serĉu "ĉion"\nde ĝi'),
]


@pytest.fixture(autouse=True)
def esperanto(settings: Any, tmp_path: Path) -> polib.POFile:
    """A catalogue of which three of seven sentences are translated, compiled."""
    settings.LANGUAGES = [(ENGLISH, "English"), (ESPERANTO, "Esperanto")]
    settings.LOCALE_PATHS = [tmp_path]
    catalogue = polib.POFile()
    catalogue.metadata = {"Language": ESPERANTO, "Content-Type": "text/plain; charset=UTF-8"}
    catalogue.metadata["Plural-Forms"] = "nplurals=2; plural=(n != 1);"
    catalogue.extend(ENTRIES)
    file = catalogue_file(ESPERANTO)
    file.parent.mkdir(parents=True)
    catalogue.save(str(file))
    catalogue.save_as_mofile(str(file.with_suffix(".mo")))
    return catalogue


def test_the_share_counts_sentences_that_have_all_their_forms() -> None:
    assert translated_share(ESPERANTO) == 3 / 7
    assert translated_share(ENGLISH) == 1
    assert partial_languages() == {ESPERANTO: 3 / 7}


def test_a_language_that_lacks_nothing_is_not_partial(
    esperanto: polib.POFile, tmp_path: Path
) -> None:
    whole = polib.POFile()
    whole.metadata = esperanto.metadata
    whole.append(ENTRIES[0])
    file = tmp_path / "whole" / "LC_MESSAGES" / "django.po"
    file.parent.mkdir(parents=True)
    whole.save(str(file))
    assert translated_share("whole") == 1


def test_each_page_tells_the_share_in_the_readers_language_and_in_english(client: Client) -> None:
    html = client.get(reverse("docs"), headers={"accept-language": ESPERANTO}).content.decode()
    assert f'<html lang="{ESPERANTO}">' in html
    assert '<p lang="eo">42% el tiuj paĝoj estas en Esperanto, la cetero en la angla.</p>' in html
    assert '<p lang="en">42% of these pages are in Esperanto, the rest is in English.</p>' in html
    assert "Manlibro" in html
    assert ">Rules<" in html


def test_who_reads_a_whole_language_sees_the_share_in_the_list_of_languages_alone(
    client: Client,
) -> None:
    html = client.get(reverse("docs")).content.decode()
    assert re.search(r"Esperanto 42%\s*</button>", html)
    assert re.search(r"English\s*</button>", html)
    assert "of these pages" not in html


def test_without_words_for_it_the_share_is_told_once(
    esperanto: polib.POFile, client: Client
) -> None:
    (note,) = [entry for entry in esperanto if entry.msgid == NOTE]
    note.msgstr = ""
    esperanto.save_as_mofile(str(catalogue_file(ESPERANTO).with_suffix(".mo")))
    html = client.get(reverse("docs"), headers={"accept-language": ESPERANTO}).content.decode()
    assert html.count("of these pages") == 1
    assert '<p lang="en">' in html


def test_a_page_of_the_manual_is_english_and_says_so(client: Client) -> None:
    html = client.get(
        reverse("doc", args=["start"]), headers={"accept-language": ESPERANTO}
    ).content.decode()
    assert f'<html lang="{ESPERANTO}">' in html
    assert '<article class="prose" lang="en">' in html
    assert "This page isn’t translated yet" in html


def test_sentences_plurals_and_messages_fall_back_to_english() -> None:
    with translation.override(ESPERANTO):
        assert gettext("Sign in somewhere") == "Sign in somewhere"
        assert [ngettext("%(count)d time", "%(count)d times", count) for count in (0, 1, 2)] == [
            "%(count)d times",
            "%(count)d time",
            "%(count)d times",
        ]
        assert say("the text is empty").translated(gettext) == "the text is empty"
        assert date_format(date(2027, 3, 26), "j F Y") == "26 marto 2027"
