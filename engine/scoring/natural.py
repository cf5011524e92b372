"""The natural order of the ids of records: numbers in them count by their value."""

import re
from typing import Final

NUMBER: Final = re.compile("[0-9]+")


def natural(name: str) -> str:
    """Return a text that sorts, by its code points, in the natural order: `round-2` before
    `round-10`.

    The id has at most 99 characters. Each number loses its leading zeros and gets the number of its
    digits in front, in two digits. Ids that differ only in leading zeros are sorted by these, which
    follow after a control character that no id has; so no two ids have the same text.
    """
    numbers = NUMBER.findall(name)
    zeros = [len(number) - len(number.lstrip("0")) for number in numbers]
    text = NUMBER.sub(_with_length, name)
    if not any(zeros):
        return text
    return text + "\x01" + "".join(chr(ord("0") + count) for count in zeros)


def _with_length(number: re.Match[str]) -> str:
    """Return a number without leading zeros, after the number of its digits."""
    digits = number[0].lstrip("0")
    return f"{len(digits):02}{digits}"
