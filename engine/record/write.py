"""A record as one line of the record format."""

import json
from dataclasses import asdict

from engine.record.proof import commitment_json, proof_json
from engine.record.record import FORMATS, VERSION, Record
from engine.record.shape import Json


def header_json(record: Record) -> dict[str, Json]:
    """The header as a JSON object: every key of the rules, of the optional keys those that are there.

    Of a `proof` it has what is known before the first roll.
    """
    optional = ("season", "event", "table", "played_at")
    told: dict[str, Json] = {
        "v": VERSION,
        "id": record.id,
        "game": record.game,
        "rules": asdict(record.rules),
        "seats": list(record.seats),
        "opener": record.opener,
    }
    told |= {key: value for key in optional if (value := getattr(record, key)) is not None}
    if record.proof is not None:
        told["proof"] = commitment_json(record.proof)
    return told


def write(record: Record) -> str:
    """The record as one line of JSON without its line end; `read` gives the same record back."""
    told = header_json(record) | {FORMATS[record.game].unit: list(record.rounds)}
    if record.result is not None:
        result = asdict(record.result)
        told["result"] = {key: value for key, value in result.items() if value is not None}
    if record.proof is not None:
        told["proof"] = proof_json(record.proof)
    if record.digests is not None:
        told["digests"] = [digest.hex() for digest in record.digests]
    return json.dumps(told, ensure_ascii=False)
