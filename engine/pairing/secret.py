"""Seeds that nobody foresees and nobody chooses: made of a stage's secret, which is committed to
before its start.

The secret is 32 bytes, written as 64 hexadecimal digits. Each purpose has a seed of its own, so
that one that is shown tells nothing of another."""

import hmac
from collections.abc import Iterable
from hashlib import sha256

__all__ = ["commitment", "lots_seed", "place_seed", "round_seed", "seeding_seed"]


def commitment(secret: str) -> str:
    """What is shown when a stage is made: SHA-256 of `cups-up/stage/1`, a line feed and the
    secret's bytes, in hex."""
    return sha256(b"cups-up/stage/1\n" + bytes.fromhex(secret)).hexdigest()


def seeding_seed(secret: str) -> str:
    """The seed of the lots by which a stage is seeded."""
    return _seed(secret, "seeding")


def lots_seed(secret: str) -> str:
    """The seed of the lots that separate who is level: that of the stage file."""
    return _seed(secret, "lots")


def round_seed(secret: str, number: int, edition: int, ids: Iterable[str]) -> str:
    """The seed of a group's draw: of the round's number, of its edition (2 for one drawn anew), and
    of the ids of those who are there."""
    return _seed(secret, "round", str(number), str(edition), *sorted(ids))


def place_seed(secret: str, table: str) -> str:
    """The seed of the lots between those who share a place at a table of a knock-out, by the
    table's id."""
    return _seed(secret, "place", table)


def _seed(secret: str, *purpose: str) -> str:
    """HMAC-SHA256 with the secret as key, of the purpose's words, each with a line feed behind it,
    in hex."""
    message = "".join(f"{word}\n" for word in ("cups-up/seed/1", *purpose))
    return hmac.new(bytes.fromhex(secret), message.encode(), sha256).hexdigest()
