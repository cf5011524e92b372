"""The canonical form of a record, and the chain of digests over it.

Two records of the same game have the same canonical form however they are written. Anybody can
recompute the digests with SHA-256 and a JSON library:

1. The header is an object of `v`, `id`, `game`, `rules`, `seats`, `opener`, and `season`, `event`,
   `table`, `played_at` where they are given; of a `proof` its `scheme`, `commitment` and `seeds`,
   so that they can't be exchanged later. The links of a proof needn't be part of it, as the
   commitment tells what they are; nor are `result`, `names`, `digests` and `seal`. `seats` holds no
   handles, but the commitment to each in hexadecimal (`engine.record.names`). `reason`, which is
   there where the record of a correction has it, is no text, but the commitment to it
   (`engine.record.reason`). `rules` has the settings of version 1 with their defaults
   (`Kind.settings`), and a later one only where it differs from its own.
2. A round is an object of its level's facts alone. Hands and the dice in moves are in face order 1
   2 3 4 5 *, `forfeit` is ascending. `losses` stay only where nothing else is recorded; `opener`
   stays only where the rounds before don't tell it, so from a round of losses on up to the next
   round that names its opener. Of a game of which only the end is known the outcome stands in place
   of the rounds, as if it were one: an object of `rank`, and of `points` where the ranks don't tell
   them.
3. Both are written as JSON with sorted keys, without white space, in UTF-8, only what JSON demands
   escaped.
4. Digest 0 is SHA-256 of `cups-up/1`, a line feed and the header. Digest i + 1 is SHA-256 of the 32
   bytes of digest i and round i. The last digest stands for the whole game.
"""

import json
from dataclasses import replace
from hashlib import sha256
from itertools import accumulate

from engine.record.names import SALT
from engine.record.record import Record, with_names
from engine.record.shape import Json
from engine.record.write import played_json, sealed_json


def canonical_header(record: Record) -> bytes:
    """The header in canonical form; ValueError for a record without `names`."""
    if record.names is None:
        raise ValueError("a record without names has no digests")
    seats: list[Json] = [
        name.sealed(handle).hex() for name, handle in zip(record.names, record.seats, strict=True)
    ]
    return canonical_json(sealed_json(record) | {"seats": seats})


def canonical_rounds(record: Record) -> list[bytes]:
    """The rounds (turns) of a record that is ok in canonical form; ValueError if one can't be read.

    Of a game of which only the end is known it is the outcome.
    """
    (played,) = played_json(record.canonical()).values()
    return [canonical_json(part) for part in (played if isinstance(played, list) else [played])]


def digests(record: Record) -> list[bytes]:
    """The chain of digests of a record that is ok: of the header, then one for each round, 32 bytes
    each.

    ValueError for a record without `names`.
    """
    first = first_digest(canonical_header(record))
    return list(accumulate(canonical_rounds(record), next_digest, initial=first))


def content_digest(record: Record) -> bytes:
    """A digest of what a record that is ok tells, handles and all but for its own names and why it
    is a correction: the same for the same game."""
    salts = [bytes(SALT[0])] * len(record.seats)
    return digests(with_names(replace(record, reason=None), salts))[-1]


def first_digest(header: bytes) -> bytes:
    """The digest of a canonical header."""
    return sha256(b"cups-up/1\n" + header).digest()


def next_digest(digest: bytes, canonical_round: bytes) -> bytes:
    """The digest after one more round."""
    return sha256(digest + canonical_round).digest()


def canonical_json(value: Json) -> bytes:
    """JSON as digests are made of it: sorted keys, no white space, UTF-8, only what JSON demands
    escaped."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
