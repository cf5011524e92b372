"""Names that people read: what they may contain, and which ones look alike."""

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
"""Letters of the Cyrillic and then of the Greek alphabet, and the Latin letters that they look
like: single letters of Unicode's confusables.txt (Technical Standard 39, version 16)."""
QUOTATION_MARKS: Final = str.maketrans(dict.fromkeys("“”„‟«»", '"'))
"""Quotation marks of phones and word processors, and the plain one that replaces them."""
APOSTROPHES: Final = str.maketrans(dict.fromkeys("‘’‚ʼ´`", "'"))
ALPHABETS: Final = frozenset(["LATIN", "CYRILLIC", "GREEK"])


def all_seen(name: str) -> None:
    """Raise `ValidationError` if the name has an invisible character."""
    character = unseen_in(name)
    if character is not None:
        message = _(
            "It contains %(character)s, which is invisible. Take it out, or type the name "
            "again by hand."
        )
        raise ValidationError(message % {"character": character_name(character)})


def name_tidied(name: str) -> str:
    """Return a name in Unicode's composed form, with plain blanks and quotation marks, and without
    blanks around it."""
    plain = BLANKS.sub(" ", name).translate(QUOTATION_MARKS)
    return unicodedata.normalize("NFC", plain.strip())


def with_name_checked(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings, with the name tidied if they have one. Raise `ValidationError` if the
    name has an invisible character."""
    if "name" not in settings:
        return dict(settings)
    name = name_tidied(settings["name"])
    all_seen(name)
    return {**settings, "name": name}


def as_typed(name: str) -> str:
    """Return a name as typed on a plain keyboard, in lower case: `O’Brien` and `o'brien` give the
    same."""
    return name_tidied(name).translate(APOSTROPHES).casefold()


def skeleton(name: str) -> str:
    """Return a text that is the same for all names that look alike: with Latin letters for their
    lookalikes, plain apostrophes and quotation marks, and no capitals."""
    return name.translate(LOOKALIKES).translate(QUOTATION_MARKS).translate(APOSTROPHES).casefold()


def mixes_alphabets(name: str) -> bool:
    """Return True if a name has letters of several alphabets that look alike."""
    # A letter's Unicode name begins with its alphabet: "GREEK SMALL LETTER ALPHA".
    alphabets = {unicodedata.name(sign, "").partition(" ")[0] for sign in name if sign.isalpha()}
    return len(alphabets & ALPHABETS) > 1
