"""Seeds that nobody can foresee or choose: derived from a stage's secret, committed to before its
start.

The secret is 32 bytes, written as 64 hexadecimal digits. Each purpose has its own seed, so that
publishing one reveals nothing about the others.
"""

import hmac
from collections.abc import Iterable
from hashlib import sha256

__all__ = ["commitment", "lots_seed", "place_seed", "round_seed", "seeding_seed"]


def commitment(secret: str) -> str:
    """Return what is published when a stage is made: SHA-256 of `cups-up/stage/1`, a line feed
    and the secret's bytes, in hex."""
    return sha256(b"cups-up/stage/1\n" + bytes.fromhex(secret)).hexdigest()


def seeding_seed(secret: str) -> str:
    """Return the seed of the lots for a stage's seeding."""
    return _seed(secret, "seeding")


def lots_seed(secret: str) -> str:
    """Return the seed of the lots that break ties, as the stage file has it."""
    return _seed(secret, "lots")


def round_seed(secret: str, number: int, edition: int, ids: Iterable[str]) -> str:
    """Return the seed of a group's draw.

    It depends on the round's number, its edition (2 if it was drawn again), and the ids of the
    players present.
    """
    return _seed(secret, "round", str(number), str(edition), *sorted(ids))


def place_seed(secret: str, table: str) -> str:
    """Return the seed of the lots between players who share a place at a knock-out table.

    `table`: the table's id.
    """
    return _seed(secret, "place", table)


def _seed(secret: str, *purpose: str) -> str:
    message = "".join(f"{part}\n" for part in ("cups-up/seed/1", *purpose))
    return hmac.new(bytes.fromhex(secret), message.encode(), sha256).hexdigest()
