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
    """The header as a JSON object: the rules, and of the optional keys those that are there, but
    for the `reason`.

    Of a `proof` it has what is known before the first roll.
    """
    optional = ("season", "event", "table", "played_at")
    header: dict[str, Json] = {
        "v": VERSION,
        "id": record.record_id,
        "game": record.game,
        "rules": rules_json(record),
        "seats": list(record.seats),
        "opener": record.opener,
    }
    header |= {key: value for key in optional if (value := getattr(record, key)) is not None}
    if record.proof is not None:
        header["proof"] = commitment_json(record.proof)
    return header


def sealed_json(record: Record) -> dict[str, Json]:
    """The header with the commitment to the reason, where there is one."""
    reason: dict[str, Json] = (
        {} if record.reason is None else {"reason": record.reason.commitment.hex()}
    )
    return header_json(record) | reason


def rules_json(record: Record) -> dict[str, Json]:
    """The ruleset as a JSON object, in a form that is frozen.

    Settings that came after the first digests are there only where they differ from their default,
    so that a new one changes no digest of an old game."""
    rules, always = record.rules, record.kind.settings
    settings = {field.name: (getattr(rules, field.name), field.default) for field in fields(rules)}
    return {
        name: value
        for name, (value, default) in settings.items()
        if name in always or value != default
    }


def played_json(record: Record) -> dict[str, Json]:
    """Tell how the game went, under the key that tells it: its rounds (turns), or its outcome.

    ValueError if a round can't be read.
    """
    if record.outcome is not None:
        return {OUTCOME: outcome_json(record.outcome)}
    kind = record.kind
    return {kind.units: [kind.round_json(unit) for unit in record.sound_rounds()]}


def revealed_json(record: Record) -> dict[str, Json]:
    """The parts of a record that its header only commits to, those that are there: proof, names and
    reason."""
    return {
        key: as_json(value)
        for key, as_json in REVEALED.items()
        if (value := getattr(record, key)) is not None
    }


def write(record: Record) -> str:
    """The record as one line of JSON without its line end; `read` gives the same record back.

    ValueError if a round can't be read.
    """
    keys = header_json(record) | played_json(record)
    if record.result is not None:
        keys["result"] = {
            key: value for key, value in asdict(record.result).items() if value is not None
        }
    keys |= revealed_json(record)
    if record.digests is not None:
        keys["digests"] = [digest.hex() for digest in record.digests]
    return json.dumps(keys, ensure_ascii=False)
