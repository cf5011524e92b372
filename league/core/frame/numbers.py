"""Numbers in addresses and hidden fields, which anybody can write as they like."""

from __future__ import annotations

import re
from typing import Final

DIGITS: Final = re.compile("[0-9]{1,9}")


def whole_number(text: str) -> int | None:
    """The whole number that a text is, of at most nine digits; None for any other text."""
    return int(text) if DIGITS.fullmatch(text) else None
