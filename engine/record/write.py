"""A record as one line of the record format."""

import json
from collections.abc import Callable
from dataclasses import asdict, fields
from typing import Any, Final

from engine.record.names import names_json
from engine.record.outcome import KEY as OUTCOME
from engine.record.outcome import outcome_json
from engine.record.proof import commitment_json, proof_json
from engine.record.reason import reason_json
from engine.record.record import VERSION, Record
from engine.record.shape import Json

REVEALED: Final[dict[str, Callable[[Any], Json]]] = {
    "proof": proof_json,
    "names": names_json,
    "reason": reason_json,
}


def header_json(record: Record) -> dict[str, Json]:
    """Return the header as a JSON object, with the optional keys that are set.

    The `reason` isn't part of it; of a `proof` it has what is known before the first roll.
    """
    header: dict[str, Json] = {
        "v": VERSION,
        "id": record.record_id,
        "game": record.game,
        "rules": rules_json(record),
        "seats": list(record.seats),
        "opener": record.opener,
    }
    for key in ("season", "event", "table", "played_at"):
        value = getattr(record, key)
        if value is not None:
            header[key] = value
    if record.proof is not None:
        header["proof"] = commitment_json(record.proof)
    return header


def sealed_json(record: Record) -> dict[str, Json]:
    """Return the header as it is sealed: with the commitment to the reason, if there is one."""
    header = header_json(record)
    if record.reason is not None:
        header["reason"] = record.reason.commitment.hex()
    return header


def rules_json(record: Record) -> dict[str, Json]:
    """Return the ruleset as a JSON object whose form never changes.

    Settings that came after the first digests are left out if they have their default, so a new
    setting changes no digest of an old game.
    """
    settings: dict[str, Json] = {}
    for field in fields(record.rules):
        value = getattr(record.rules, field.name)
        if field.name in record.kind.settings or value != field.default:
            settings[field.name] = value
    return settings


def played_json(record: Record) -> dict[str, Json]:
    """Return the rounds (turns) or the outcome under their key.

    Raise ValueError if a round can't be read.
    """
    if record.outcome is not None:
        return {OUTCOME: outcome_json(record.outcome)}
    kind = record.kind
    return {kind.units: [kind.round_json(unit) for unit in record.sound_rounds()]}


def revealed_json(record: Record) -> dict[str, Json]:
    """Return the parts that the header only commits to: proof, names and reason, if set."""
    revealed: dict[str, Json] = {}
    for key, as_json in REVEALED.items():
        value = getattr(record, key)
        if value is not None:
            revealed[key] = as_json(value)
    return revealed


def write(record: Record) -> str:
    """Return the record as a line of JSON without its line end; `read` reverses it.

    Raise ValueError if a round can't be read.
    """
    keys = header_json(record)
    keys.update(played_json(record))
    if record.result is not None:
        claims = asdict(record.result)
        keys["result"] = {key: value for key, value in claims.items() if value is not None}
    keys.update(revealed_json(record))
    if record.digests is not None:
        keys["digests"] = [digest.hex() for digest in record.digests]
    return json.dumps(keys, ensure_ascii=False)
