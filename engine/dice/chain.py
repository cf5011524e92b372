"""The chain of links to which a game commits: one link for each round (turn), made from one secret.

Round i has a key, from which its dice are derived. The lock of a key is its SHA-256. A chain is
built from its end:

    head i = SHA-256(head i + 1, lock i)

and head 0, the commitment, is published before the game. Revealing link i discloses head i + 1 and
either the key or only its lock. Neither can be forged, because SHA-256 of both is head i, which is
known already. Keys reveal nothing about each other, so an undoubted turn of Lügen-Kniffel stays
secret for good (ruling K6), even after the links that follow are revealed.
"""

import hmac
from collections.abc import Sequence
from hashlib import sha256
from typing import Final, NamedTuple

from engine.dice.frame import SCHEME, frame

SIZE: Final = 32
"""Bytes of a key, a lock and a head, as SHA-256 has them."""
LINKS: Final = 1024
"""How many rounds a chain has keys for. Eight sheets of thirteen fields are full after 208 turns
at most (K9), and nearly every round of Bluff takes a die out of the game."""


class Link(NamedTuple):
    """A revealed link: the head of the next link, and the lock of its own key; `key` is None if
    it isn't revealed."""

    next_head: bytes
    lock: bytes
    key: bytes | None = None


def opened(following: bytes, key: bytes) -> Link:
    """Return a link with its key; `following` is the head of the next link."""
    return Link(following, sha256(key).digest(), key)


def key_of(secret: bytes, number: int, scheme: str = SCHEME) -> bytes:
    """Return the key of link `number`, counted from 0; raise ValueError beyond the last link."""
    if number not in range(LINKS):
        raise ValueError(
            f"a chain has {LINKS} links, counted from 0; there is none with number {number}"
        )
    return hmac.digest(secret, frame(scheme, "key", number), "sha256")


def make_chain(secret: bytes, scheme: str = SCHEME) -> list[Link]:
    """Return all links of the chain of a secret, each with its key, in playing order."""
    head = hmac.digest(secret, frame(scheme, "end"), "sha256")
    links: list[Link] = []
    for number in reversed(range(LINKS)):
        links.append(opened(head, key_of(secret, number, scheme)))
        head = head_before(links[-1])
    links.reverse()
    return links


def head_before(link: Link) -> bytes:
    """Return the head that a link hashes to; the head of the first link is the commitment."""
    return sha256(link.next_head + link.lock).digest()


def broken_link(commitment: bytes, links: Sequence[Link]) -> int | None:
    """Return the number of the first revealed link that doesn't hash back to the commitment;
    None if all do."""
    expected_head = commitment
    for number, link in enumerate(links):
        if head_before(link) != expected_head:
            return number
        expected_head = link.next_head
    return None
