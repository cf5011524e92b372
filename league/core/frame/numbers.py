"""Numbers in addresses and hidden fields, which can contain anything."""

from __future__ import annotations

import re
from typing import Final

DIGITS: Final = re.compile("[0-9]{1,9}")


def whole_number(text: str) -> int | None:
    """Return the number that a text of one to nine digits stands for; None for any other text."""
    if DIGITS.fullmatch(text):
        return int(text)
    return None
