"""Names that people read: what all of them must be, and which ones look like another."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from engine.illegal import character_name
from engine.record.handle import BLANKS, unseen_in

LOOKALIKES: Final = str.maketrans(
    "АВЕЅІЈКМНОРСТУХаеѕіјорсухԁһԛԝӏ" + "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧανορυ",
    "ABESIJKMHOPCTYXaesijopcyxdhqwl" + "ABEZHIKMNOPTYXavopu",
)
"""Letters of the Cyrillic and then of the Greek alphabet, and the Latin ones that they look like:
single letters of Unicode's confusables.txt (Technical Standard 39, version 16)."""
QUOTATION_MARKS: Final = str.maketrans(dict.fromkeys("“”„‟«»", '"'))
"""Marks that phones and word processors set for the quotation mark of the keyboard."""
APOSTROPHES: Final = str.maketrans(dict.fromkeys("‘’‚ʼ´`", "'"))
ALPHABETS: Final = frozenset(["LATIN", "CYRILLIC", "GREEK"])


def all_seen(name: str) -> None:
    """Accept a name of which every character can be seen, or raise `ValidationError` that names one
    that can't."""
    character = unseen_in(name)
    if character is not None:
        words = _(
            "It contains %(character)s, which is invisible. Take it out, or type the name "
            "again by hand."
        )
        raise ValidationError(words % {"character": character_name(character)})


def name_tidied(name: str) -> str:
    """The name as people mean it: in Unicode's composed form, with plain blanks for those that word
    processors set and plain quotation marks for those that phones set, and without blanks around
    it."""
    plain = BLANKS.sub(" ", name).translate(QUOTATION_MARKS)
    return unicodedata.normalize("NFC", plain.strip())


def with_name_checked(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings with their name tidied, if it is among them. Raises `ValidationError` as
    `all_seen` does."""
    if "name" not in settings:
        return dict(settings)
    name = name_tidied(settings["name"])
    all_seen(name)
    return {**settings, "name": name}


def as_typed(name: str) -> str:
    """A name as a plain keyboard types it, in small letters: `O’Brien` and `o'brien` are the
    same."""
    return name_tidied(name).translate(APOSTROPHES).casefold()


def skeleton(name: str) -> str:
    """Return what two names have in common that look alike: the Latin letters for their lookalikes,
    one form of apostrophe and quotation mark, no capitals."""
    return name.translate(LOOKALIKES).translate(QUOTATION_MARKS).translate(APOSTROPHES).casefold()


def mixes_alphabets(name: str) -> bool:
    """True if letters of several of the alphabets that look alike stand in one name."""
    first_words = {unicodedata.name(sign, "").partition(" ")[0] for sign in name if sign.isalpha()}
    return len(first_words & ALPHABETS) > 1
