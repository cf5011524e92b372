"""The way in which several values become the one message of a hash, so that no two lists of values
give the same one."""

from typing import Final

SCHEME: Final = "cups-up/dice/1"
"""Names this way to make dice; another way would have another name, and so other dice."""
OPENING_SCHEME: Final = "cups-up/dice/2"
"""The same with one link more, before that of the first round: the roll for who opens comes from
its key."""
SCHEMES: Final = {SCHEME: 0, OPENING_SCHEME: 1}
"""For each way to make dice, how many links stand before that of the first round."""


def frame(*values: str | int | bytes) -> bytes:
    """Each value with its length in four bytes before it, big-endian; texts in UTF-8, ints in
    decimal."""
    framed = bytearray()
    for value in values:
        data = value if isinstance(value, bytes) else str(value).encode()
        framed += len(data).to_bytes(4, "big") + data
    return bytes(framed)
