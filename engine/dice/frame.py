"""How several values become one message to hash, so that no two lists of values give the same
message."""

from typing import Final

SCHEME: Final = "cups-up/dice/1"
"""The name of this way to make dice; another way would have another name, and so other dice."""
OPENING_SCHEME: Final = "cups-up/dice/2"
"""The same with one more link, before that of the first round: its key gives the opening roll."""
SCHEMES: Final = {SCHEME: 0, OPENING_SCHEME: 1}
"""For each way to make dice, how many links come before that of the first round."""


def frame(*values: str | int | bytes) -> bytes:
    """Return each value after its length in four bytes, big-endian; texts in UTF-8, ints in
    decimal."""
    framed = bytearray()
    for value in values:
        data = value if isinstance(value, bytes) else str(value).encode()
        framed += len(data).to_bytes(4, "big") + data
    return bytes(framed)
