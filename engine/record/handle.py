"""The rules for handles.

Every character of a handle is visible, so two handles can't look alike by hidden ones.
"""

import re
import unicodedata
from typing import Final

from engine.illegal import Illegal, Refused, character_name
from engine.messages import Message, say
from engine.record.shape import Json, text

UNSEEN: Final = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\u2800\u3164\ud800-\uf8ff\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U0010ffff]"
)
"""Invisible characters, and characters that look like something else: control characters, those of
width zero and those that change the direction (Unicode's property Default_Ignorable_Code_Point,
Unicode 16, DerivedCoreProperties.txt), the blank of Braille, and those for private use. The list is
our own because Python's table grows with each version, and a record mustn't be valid under only
some of them.
"""
BLANKS: Final = re.compile("[\xa0\u1680\u2000-\u200a\u202f\u205f\u3000]")
"""White space that looks like a blank but isn't one."""


_EMOJI: Final = (
    "[\u00a9\u00ae\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u23ff\u24c2\u25a0-\u27bf\u2900-\u297f\u2b00-\u2bff\u3030\u303d"
    "\u3297\u3299\U0001f000-\U0001faff]"
)
_JOINING: Final = (
    "[\u0620\u0626\u0628\u062a-\u062e\u0633-\u063f\u0641-\u0647\u0649\u064a\u066e\u066f\u0678-\u0687\u069a-\u06bf\u06c1\u06c2"
    "\u06cc\u06ce\u06d0\u06d1\u06fa-\u06fc\u06ff]"
)
"""Letters of the Arabic script that join with the next one (Joining_Type=Dual_Joining,
ArabicShaping.txt).
"""
_ARABIC: Final = "[\u0620-\u064a\u066e-\u06d3\u06d5\u06ee\u06ef\u06fa-\u06fc\u06ff]"
_VOWELS: Final = "[\u064b-\u065f\u0670]*"
_VIRAMA: Final = "[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca]"
IN_CONTEXT: Final = re.compile(
    "\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{2,6}\U000e007f|"
    rf"{_EMOJI}[\ufe0e\ufe0f]?(?:\u200d{_EMOJI}[\ufe0e\ufe0f]?)*"
    "|[0-9#*]\ufe0f\u20e3"
    rf"|{_JOINING}{_VOWELS}\u200c(?={_VOWELS}{_ARABIC})"
    rf"|{_VIRAMA}[\u200c\u200d](?=[\u0900-\u0dff])"
)
"""Places where a character of width zero changes what people see: emoji with their variation
selectors, joined emoji, keycaps and flags (Unicode Technical Standard 51), and the joiners of the
Arabic and the Indic scripts by the contexts A1, A2 and B of UAX 31. Like UNSEEN a list of our own.
"""


def unseen_in(text: str) -> str | None:
    """Return the first invisible character of a text, else the first blank that isn't a plain one;
    None if it has neither."""
    match = UNSEEN.search(IN_CONTEXT.sub("", text)) or BLANKS.search(text)
    return match[0] if match else None


def handle_fault(handle: str) -> Message | None:
    """Return why a text can't be a handle; None if it can."""
    if handle.isascii() and handle.isprintable() and handle == handle.strip():
        return None
    character = unseen_in(handle)
    if character is not None:
        return say(
            "must not contain {character}, which is invisible", character=character_name(character)
        )
    if handle != handle.strip():
        return say("must not begin or end with a space")
    if not unicodedata.is_normalized("NFC", handle):
        return say("must be in Unicode's composed form, NFC")
    return None


def read_handle(value: Json, path: str) -> str:
    """Return a handle of 1 to 64 characters. Raise `Refused` with `bad_record` or `bad_handle`."""
    handle = text(value, path)
    fault = handle_fault(handle)
    if fault is not None:
        raise Refused(Illegal("bad_handle", fault, path=path))
    return handle
