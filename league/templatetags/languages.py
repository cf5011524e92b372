"""How much of a page is in the reader's language."""

from __future__ import annotations

import math

from django import template
from django.utils import translation
from django.utils.translation import get_language, get_language_info, gettext

from league.languages import ENGLISH, partial_languages
from league.templatetags.figures import percent

register = template.Library()


@register.simple_tag
def share_behind(language: str) -> str:
    """The share of the words that a language has, as it stands behind its name; nothing for one
    that has them all."""
    share = share_of_language(language)
    return f" {share}" if share else ""


def share_of_language(language: str) -> str:
    """The share of the words that a language has, as `63%`; nothing for one that has them all."""
    share = partial_languages().get(language)
    return (
        "" if share is None else percent(math.floor(100 * share) / 100)
    )  # 100% only where nothing is missing


@register.simple_tag
def notes_on_language() -> list[tuple[str, str]]:
    """Say what share of the page is translated, as (language, sentence): in the reader's language,
    then in English.

    The first is left out while that language has no words for it; there is none where nothing is
    missing."""
    language = get_language() or ENGLISH
    if language not in partial_languages():
        return []
    sentences = {code: _note(language, code) for code in (language, ENGLISH)}
    if sentences[language] == sentences[ENGLISH]:
        del sentences[language]
    return list(sentences.items())


def _note(language: str, written_in: str) -> str:
    with translation.override(written_in):
        return gettext("%(share)s of these pages are in %(language)s, the rest is in English.") % {
            "share": share_of_language(language),
            "language": get_language_info(language)["name_translated"],
        }
