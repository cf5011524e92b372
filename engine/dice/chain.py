"""The chain of links to which a game commits: one link for each round (turn), made from one secret.

Round i has a key, from which its dice come. The lock of a key is its SHA-256. A chain is built from
its end:

    head i = SHA-256(head i + 1, lock i)

and head 0, the commitment, is published before the game. Revealing link i tells head i + 1 and
either the key or only its lock. Either way it can be nothing else, because SHA-256 of both is head
i, which is known already. Keys tell nothing of each other, so a turn of Lügen-Kniffel that nobody
doubted stays secret for good (ruling K6, K), though the links after it are revealed."""

import hmac
from collections.abc import Sequence
from hashlib import sha256
from typing import Final, NamedTuple

from engine.dice.frame import SCHEME, frame

SIZE: Final = 32
"""Bytes of a key, a lock and a head, as SHA-256 has them."""
LINKS: Final = 1024
"""Rounds a chain has keys for. Eight sheets of thirteen fields are full after 208 turns at most
(K9), and nearly every round of Bluff takes a die out of the game."""


class Link(NamedTuple):
    """A revealed link: the head of the next one, and the lock of its own key; `key` is None where
    it stays shut."""

    next_head: bytes
    lock: bytes
    key: bytes | None = None


def opened(following: bytes, key: bytes) -> Link:
    """The link that tells its key; `following` is the head of the next one."""
    return Link(following, sha256(key).digest(), key)


def key_of(secret: bytes, number: int, scheme: str = SCHEME) -> bytes:
    """Return the key of link `number`, counted from 0, in the chain of a secret; ValueError beyond
    the last link."""
    if number not in range(LINKS):
        raise ValueError(
            f"a chain has {LINKS} links, counted from 0; there is none with number {number}"
        )
    return hmac.digest(secret, frame(scheme, "key", number), "sha256")


def make_chain(secret: bytes, scheme: str = SCHEME) -> list[Link]:
    """All links of the chain of a secret, each with its key, in playing order."""
    head = hmac.digest(secret, frame(scheme, "end"), "sha256")
    links: list[Link] = []
    for number in reversed(range(LINKS)):
        links.append(opened(head, key_of(secret, number, scheme)))
        head = head_before(links[-1])
    links.reverse()
    return links


def head_before(link: Link) -> bytes:
    """The head that a link hashes to: that of the first link is the commitment."""
    return sha256(link.next_head + link.lock).digest()


def broken_link(commitment: bytes, links: Sequence[Link]) -> int | None:
    """The number of the first revealed link that the commitment doesn't hold; None if it holds them
    all."""
    for number, link in enumerate(links):
        if head_before(link) != commitment:
            return number
        commitment = link.next_head
    return None
