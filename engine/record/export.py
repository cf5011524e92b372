"""The export of a record: one line with everything that can be verified about it.

An export is in the canonical form of `engine.record.canonical`, to the last byte, except that the
seats have their handles. It also has the keys `names`, `reason`, `voided`, the `result` (unless it
has an outcome), the chain of `digests` in hexadecimal, and a `seal`: SHA-256 of `cups-up/export/1`,
a line feed, and the same line without its `seal`. So no accidental change of a byte goes unnoticed.
Somebody who changes it on purpose can compute new digests and a new seal; that shows only if the
head, the last digest of the game, was noted down before (`engine.record.anchors`).
"""

from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256

from engine.record.canonical import canonical_json, chain
from engine.record.check import replay
from engine.record.reason import void_json
from engine.record.record import Record
from engine.record.shape import Json
from engine.record.verdict import Verdict
from engine.record.write import header_json, played_json, revealed_json


def export(
    record: Record, digests: Sequence[bytes] | None = None, verdict: Verdict | None = None
) -> bytes:
    """Return the line of a record without its line end.

    `digests`: those that it should have, if they are known. `verdict`: the one on the record
    without its `result`, if it was replayed already. Raise ValueError if the record has a fault, no
    `names`, or other digests.
    """
    if verdict is None:
        # The result isn't checked: it is computed anew.
        verdict = replay(replace(record, result=None))
    if verdict.error is not None:
        raise ValueError(f"{verdict.error.path}: {verdict.error.message}")
    played = played_json(record.canonical())
    computed = chain(record, played)
    if digests is not None and computed != list(digests):
        raise ValueError("the digests are others than those given")

    keys = header_json(record)
    keys.update(played)
    keys.update(revealed_json(record))
    keys["digests"] = [digest.hex() for digest in computed]
    if record.outcome is None and verdict.rank is not None and verdict.points is not None:
        keys["result"] = {"rank": list(verdict.rank), "points": list(verdict.points)}
    if record.voided is not None:
        keys["voided"] = void_json(record.voided)
    keys["seal"] = seal_of(keys).hex()
    return canonical_json(keys)


def seal_of(keys: dict[str, Json]) -> bytes:
    """Return the seal of all the other keys of an export."""
    return sha256(b"cups-up/export/1\n" + canonical_json(keys)).digest()
