"""A record as the service exports it: one line that carries everything that can be verified about it.

An export is in the canonical form of `engine.record.canonical`, down to the last byte, and tells the result, the
chain of digests in hexadecimal, and a seal: SHA-256 of `cups-up/export/1`, a line feed, and the same line without
its key `seal`. So no byte of it can be changed unnoticed by accident; what nobody can change on purpose either is
what hangs together with a commitment or a digest that somebody noted down before.
"""

from dataclasses import replace
from hashlib import sha256

from engine.record.canonical import canonical_json, digests
from engine.record.check import check
from engine.record.proof import proof_json
from engine.record.record import FORMATS, Record
from engine.record.shape import Json
from engine.record.write import header_json


def export(record: Record) -> bytes:
    """The line of a record without its line end; ValueError if the record isn't ok."""
    verdict = check(replace(record, result=None))
    if verdict.error is not None:
        raise ValueError(f"{verdict.error.path}: {verdict.error.message}")
    form = FORMATS[record.game]
    told = header_json(record) | {
        form.unit: list(form.canonical(record)),
        "digests": [digest.hex() for digest in digests(record)],
    }
    if verdict.rank is not None and verdict.points is not None:
        told["result"] = {"rank": list(verdict.rank), "points": list(verdict.points)}
    if record.proof is not None:
        told["proof"] = proof_json(record.proof)
    return canonical_json(told | {"seal": seal_of(told).hex()})


def seal_of(told: dict[str, Json]) -> bytes:
    """The seal of what an export tells beside it."""
    return sha256(b"cups-up/export/1\n" + canonical_json(told)).digest()
