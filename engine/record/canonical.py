"""The canonical form of a record, and the chain of digests over it.

Two records of the same game have the same canonical form however they are written. Anybody can
recompute the digests with SHA-256 and a JSON library:

1. The header is an object of `v`, `id`, `game`, `rules`, `seats`, `opener`, and, where given,
   `season`, `event`, `table`, `played_at`. Of a `proof` it has `scheme`, `commitment` and `seeds`,
   so that they can't be exchanged later; the links of a proof aren't part of it, because the
   commitment fixes them. Nor are `result`, `names`, `digests` and `seal`. `seats` holds the
   commitments to the handles in hexadecimal (`engine.record.names`). If a correction has a
   `reason`, the header has the commitment to it (`engine.record.reason`). `rules` has the settings
   of version 1 with their defaults (`Kind.settings`), and a later setting only if it differs from
   its default.
2. A round is an object with the facts of its level. Hands and the dice in moves are in face order
   1 2 3 4 5 *, `forfeit` is ascending. `losses` stay only where nothing else is recorded; `opener`
   stays only where it doesn't follow from the rounds before, so after a round of losses up to the
   next round that names its opener. A game of which only the end is known has its outcome in place
   of the rounds, as if it were one: an object of `rank`, and of `points` where they don't follow
   from the ranks.
3. Both are written as JSON with sorted keys, without white space, in UTF-8, escaping only what JSON
   requires.
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
    """Return the header in canonical form. Raise ValueError for a record without `names`."""
    if record.names is None:
        raise ValueError("a record without names has no digests")
    commitments: list[Json] = []
    for name, handle in zip(record.names, record.seats, strict=True):
        commitments.append(name.sealed(handle).hex())
    header = sealed_json(record)
    header["seats"] = commitments
    return canonical_json(header)


def canonical_rounds(record: Record) -> list[bytes]:
    """Return the rounds (turns), or the outcome, of a valid record in canonical form.

    Raise ValueError if a round can't be read.
    """
    return _parts(played_json(record.canonical()))


def digests(record: Record) -> list[bytes]:
    """Return the digests of a valid record: of the header, then one for each round.

    Each has 32 bytes. Raise ValueError for a record without `names`.
    """
    return chain(record, played_json(record.canonical()))


def chain(record: Record, played: dict[str, Json]) -> list[bytes]:
    """Return the digests of a valid record, given its canonical rounds (turns) or outcome as JSON,
    under their key.

    Raise ValueError for a record without `names`.
    """
    first = first_digest(canonical_header(record))
    return list(accumulate(_parts(played), next_digest, initial=first))


def _parts(played: dict[str, Json]) -> list[bytes]:
    (rounds_or_outcome,) = played.values()
    if isinstance(rounds_or_outcome, list):
        return [canonical_json(part) for part in rounds_or_outcome]
    return [canonical_json(rounds_or_outcome)]


def content_digest(record: Record) -> bytes:
    """Return a digest of the game in a valid record, with its handles; equal for equal games.

    It doesn't depend on the record's `names` and `reason`.
    """
    salts = [bytes(SALT[0])] * len(record.seats)
    return digests(with_names(replace(record, reason=None), salts))[-1]


def first_digest(header: bytes) -> bytes:
    """Return the digest of a canonical header."""
    return sha256(b"cups-up/1\n" + header).digest()


def next_digest(digest: bytes, canonical_round: bytes) -> bytes:
    """Return the digest after one more round."""
    return sha256(digest + canonical_round).digest()


def canonical_json(value: Json) -> bytes:
    """Return JSON for digests.

    It has sorted keys, no white space, UTF-8, and escapes only what JSON requires.
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
