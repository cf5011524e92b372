"""A record as the service exports it: one line that carries everything that can be verified about
it.

An export is in the canonical form of `engine.record.canonical`, down to the last byte, but for the
seats, which have their handles; and it tells how the names are sealed, why it corrects another
record, that it was voided, the result (none beside an outcome), the chain of digests in
hexadecimal, and a seal: SHA-256 of `cups-up/export/1`, a line feed, and the same line without its
key `seal`. So no byte of it can be changed unnoticed by accident. On purpose anybody can make
digests and seal anew: only a head shows that, the last digest of a game, which was noted down
before (`engine.record.anchors`)."""

from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256

from engine.record.canonical import canonical_json, digests
from engine.record.check import replay
from engine.record.reason import void_json
from engine.record.record import Record
from engine.record.shape import Json
from engine.record.write import header_json, played_json, revealed_json


def export(record: Record, chain: Sequence[bytes] | None = None) -> bytes:
    """The line of a record without its line end; ValueError if the record isn't ok, has no `names`,
    or its digests aren't those of `chain`, where that is given."""
    verdict = replay(replace(record, result=None))
    if verdict.error is not None:
        raise ValueError(f"{verdict.error.path}: {verdict.error.message}")
    computed = digests(record)
    if chain is not None and computed != list(chain):
        raise ValueError("the digests are others than those given")
    keys = header_json(record) | played_json(record.canonical()) | revealed_json(record)
    keys["digests"] = [digest.hex() for digest in computed]
    if record.outcome is None and verdict.rank is not None and verdict.points is not None:
        keys["result"] = {"rank": list(verdict.rank), "points": list(verdict.points)}
    if record.voided is not None:
        keys["voided"] = void_json(record.voided)
    return canonical_json(keys | {"seal": seal_of(keys).hex()})


def seal_of(keys: dict[str, Json]) -> bytes:
    """The seal of all the other keys of an export."""
    return sha256(b"cups-up/export/1\n" + canonical_json(keys)).digest()
