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
    """Return the translated share of a language, for after its name; empty if it is complete."""
    share = share_of_language(language)
    if share:
        return f" {share}"
    return ""


def share_of_language(language: str) -> str:
    """Return the translated share of a language, as `63%`; empty if it is complete."""
    share = partial_languages().get(language)
    if share is None:
        return ""
    return percent(math.floor(100 * share) / 100)  # 100% only if nothing is missing


@register.simple_tag
def notes_on_language() -> list[tuple[str, str]]:
    """Say how much of the page is translated, as (language, sentence): in the reader's language,
    then in English.

    The first is left out if that sentence isn't translated; there is none if nothing is missing."""
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
