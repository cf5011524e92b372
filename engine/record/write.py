"""A record as one line of the record format."""

import json
from dataclasses import asdict

from engine.record.record import FORMATS, VERSION, Record
from engine.record.shape import Json


def header_json(record: Record) -> dict[str, Json]:
    """The header as a JSON object: every key of the rules, of the optional keys those that are there."""
    optional = ("season", "event", "table", "played_at")
    told: dict[str, Json] = {
        "v": VERSION,
        "id": record.id,
        "game": record.game,
        "rules": asdict(record.rules),
        "seats": list(record.seats),
        "opener": record.opener,
    }
    return told | {key: value for key in optional if (value := getattr(record, key)) is not None}


def write(record: Record) -> str:
    """The record as one line of JSON without its line end; `read` gives the same record back."""
    told = header_json(record) | {FORMATS[record.game].unit: list(record.rounds)}
    if record.result is not None:
        result = asdict(record.result)
        told["result"] = {key: value for key, value in result.items() if value is not None}
    return json.dumps(told, ensure_ascii=False)
