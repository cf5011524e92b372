"""The header of a stored game: text in canonical form without its seats, which are stored apart."""

import json
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from engine.illegal import Illegal, Refused
from engine.record.canonical import canonical_json
from engine.record.handle import read_handle
from engine.record.kind import AnyKind
from engine.record.names import Name
from engine.record.proof import commitment_json, read_proof
from engine.record.reason import SealedReason
from engine.record.record import Record, parse, read_kind, read_value
from engine.record.shape import timestamp
from engine.record.write import sealed_json

TEXT: Final = r'[^"\\\x00-\x1f\x7f-\x9f\ud800-\udfff]{1,64}'
SLUG: Final = "[A-Za-z0-9_-]{1,64}"
"""Patterns for what `engine.record.shape` accepts as a text (if JSON needn't escape it) and as a
slug.
"""
CANONICAL: Final = re.compile(
    r"\{"
    rf'(?:"event":"{SLUG}",)?'
    rf'"game":"(?P<game>{SLUG})",'
    rf'"id":"(?P<id>{TEXT})",'
    r'"opener":(?P<opener>[0-9]),'
    rf'(?:"played_at":"(?P<played_at>{TEXT})",)?'
    r'(?:"proof":(?P<proof>\{[^{}]*\}),)?'
    r'(?:"reason":"[0-9a-f]{64}",)?'
    r'"rules":(?P<rules>\{[^{}]*\}),'
    rf'(?:"season":"{SLUG}",)?'
    rf'(?:"table":"{TEXT}",)?'
    r'"v":1\}'
)
"""A stored header in canonical form."""


def stored_header(record: Record) -> str:
    """Return the canonical header without `seats`.

    The reason of a correction is in it as a commitment.
    """
    header = sealed_json(record)
    del header["seats"]
    return canonical_json(header).decode()


def read_header(header: str, handles: Sequence[str]) -> Record:
    """Return the record of a stored header and the handles by seat, without rounds.

    Raise ValueError if it isn't a header.
    """
    value = parse(header)
    kind = None if isinstance(value, Illegal) else read_kind(value)
    if kind is None or not isinstance(value, dict):
        raise ValueError("this is no header of a record")
    keys: dict[str, Any] = {**value, "seats": list(handles), kind.units: []}
    if "reason" in value:
        keys["reason"] = {"commitment": value["reason"]}
    record = read_value(keys)
    if isinstance(record, Illegal):
        raise ValueError(f"{record.path}: {record.message}")
    return record


def sealed_reason(header: str) -> SealedReason | None:
    """Return the reason that a stored header seals, without its text; None if it seals none."""
    commitment = json.loads(header).get("reason")
    if not commitment:
        return None
    return SealedReason(Name(commitment=bytes.fromhex(commitment)))


class Heading(NamedTuple):
    """A valid, canonical stored header.

    `start` is the game before its first round, which must not be changed: it is cached.
    """

    record_id: str
    kind: AnyKind
    start: Any


def read_heading(header: str, handles: Sequence[str]) -> Heading | None:
    """Return the heading of a stored game, straight from its text; faster than `read_header`.

    None if the header isn't valid or isn't canonical, and for a few headers that are both: then
    only `read_header` can decide.
    """
    match = CANONICAL.fullmatch(header)
    if match is None or len(set(handles)) < len(handles):
        return None
    # In the alphabetical order of a canonical header.
    game, game_id, opener, played_at, proof, rules = match.groups()
    beginning = _begin(game, rules, opener, len(handles))
    if beginning is None:
        return None
    try:
        for handle in handles:
            _check_handle(handle)
        if played_at is not None:
            _check_timestamp(played_at)
        if proof is not None and not _is_canonical_proof(proof, len(handles)):
            return None
    except Refused:
        return None
    kind, start = beginning
    return Heading(game_id, kind, start)


@lru_cache(maxsize=1 << 12)
def _check_handle(handle: str) -> None:
    read_handle(handle, "seats")


@lru_cache(maxsize=1 << 10)
def _check_timestamp(played_at: str) -> None:
    timestamp(played_at, "played_at")


@lru_cache(maxsize=1 << 10)
def _begin(game: str, rules: str, opener: str, seats: int) -> tuple[AnyKind, Any] | None:
    """Return the kind of a game and the game before its first round, from parts of its header;
    None if they aren't valid, or not canonical."""
    # Any id does, for example the game's name.
    header = f'{{"game":"{game}","id":"{game}","opener":{opener},"rules":{rules},"v":1}}'
    try:
        record = read_header(header, [str(seat) for seat in range(seats)])
    except ValueError:
        return None
    if stored_header(record) != header:
        return None
    return record.kind, record.start()


def _is_canonical_proof(proof: str, seats: int) -> bool:
    value = parse(proof)
    if isinstance(value, Illegal):
        return False
    commitment = commitment_json(read_proof(value, seats, "proof"))
    return canonical_json(commitment).decode() == proof
