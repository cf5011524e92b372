"""The natural order of the ids of records: numbers in them count by their value."""

import re
from typing import Final

NUMBER: Final = re.compile("[0-9]+")


def natural(name: str) -> str:
    """An id of at most 99 characters as another text, whose code points sort as the id should:
    `round-2` before `round-10`.

    Each number goes without its leading zeros behind how many digits it then has, in two digits.
    Ids that differ in leading zeros alone sort by these, behind a control character, which no id
    has; so no two ids have the same text."""
    numbers = NUMBER.findall(name)
    zeros = [len(number) - len(number.lstrip("0")) for number in numbers]
    text = NUMBER.sub(_measured, name)
    return text + "\x01" + "".join(chr(ord("0") + count) for count in zeros) if any(zeros) else text


def _measured(number: re.Match[str]) -> str:
    digits = number[0].lstrip("0")
    return f"{len(digits):02}{digits}"
