"""All that a handle may be: a text of which people see every character, so that no two look alike by unseen ones."""

import re
import unicodedata
from typing import Final

from engine.illegal import Illegal, Refused
from engine.messages import Message, say
from engine.record.shape import Json, text

UNSEEN: Final = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\u2800\u3164\ud800-\uf8ff\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U0010ffff]"
)
"""Characters that nobody sees, or that everybody sees as something else: control characters, those of width zero and
those that turn the direction (Unicode's property Default_Ignorable_Code_Point, Unicode 16, DerivedCoreProperties.txt),
the blank of Braille, and those for private use. A list of our own, as Python's table grows from version to version, and
a record must not be good under one of them only."""
BLANKS: Final = re.compile("[\xa0\u1680\u2000-\u200a\u202f\u205f\u3000]")
"""White space that looks like a blank and is none."""


def handle_fault(handle: str) -> Message | None:
    """Tell why a text can't be a handle, None if it can."""
    if handle.isascii() and handle.isprintable() and handle == handle.strip():
        return None
    if UNSEEN.search(handle) or BLANKS.search(handle):
        return say("must not hold characters that nobody can see, such as those of width zero")
    if handle != handle.strip():
        return say("must not begin or end with a blank")
    return None if unicodedata.is_normalized("NFC", handle) else say("must be in Unicode's composed form, NFC")


def read_handle(value: Json, path: str) -> str:
    """A text of 1 to 64 characters that is a handle; refuses with `bad_record` or `bad_handle`."""
    handle = text(value, path)
    fault = handle_fault(handle)
    if fault is not None:
        raise Refused(Illegal("bad_handle", fault, path=path))
    return handle
