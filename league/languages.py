"""The languages of the pages, and how much of each is translated. The rest is in English."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Final

from django.conf import settings

ENGLISH: Final = "en"
"""The language of the source strings; it needs no catalogue."""
STRING: Final = re.compile(r'^(msgid|msgid_plural|msgstr(?:\[\d+\])?) ((?:".*"\n?)+)', re.MULTILINE)
EMPTY: Final = re.compile(r'^(?:""\s*)+$')


def catalogue_file(language: str) -> Path:
    """Return the catalogue of a language, which translators write."""
    return Path(settings.LOCALE_PATHS[0]) / language / "LC_MESSAGES" / "django.po"


def translated_share(language: str) -> float:
    """Return the translated share of a language, between 0 and 1; English has 1."""
    return 1.0 if language == ENGLISH else _share_of(catalogue_file(language))


@cache
def _share_of(catalogue: Path) -> float:
    _head, *entries = catalogue.read_text(encoding="utf-8").strip().split("\n\n")
    return sum(map(_is_translated, entries)) / max(1, len(entries))


def partial_languages() -> dict[str, float]:
    """Return the incomplete languages with their translated shares."""
    shares = {language: translated_share(language) for language, _name in settings.LANGUAGES}
    return {language: share for language, share in shares.items() if share < 1}


def _is_translated(entry: str) -> bool:
    texts = [text for kind, text in STRING.findall(entry) if kind.startswith("msgstr")]
    fuzzy = any(line.startswith("#,") and "fuzzy" in line for line in entry.splitlines())
    return bool(texts) and not fuzzy and not any(map(EMPTY.match, texts))
