"""Where a text tells the name of somebody who is to be forgotten."""

import re
from collections.abc import Iterable


def naming(names: Iterable[str]) -> re.Pattern[str]:
    """Finds any of these names, at least one, in a text: in any capitals, and as a word: Al isn't found in Albert."""
    longest_first = sorted({name for name in names if name}, key=len, reverse=True)
    return re.compile(rf"(?<![^\W\d_])(?:{'|'.join(map(re.escape, longest_first))})(?![^\W\d_])", re.IGNORECASE)
