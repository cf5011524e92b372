"""The stored form of a record, which keeps the names apart.

It consists of the header as text, without its seats and with only the commitment to a reason
(`engine.record.header`); a handle and a `Name` for each seat; and a few bytes, the body, for each
round (turn), or one body for the outcome.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from engine.illegal import Illegal
from engine.messages import Message
from engine.record.canonical import digests
from engine.record.check import replay
from engine.record.header import read_header, read_heading
from engine.record.kind import AnyKind, Ending
from engine.record.names import Name
from engine.record.outcome import is_outcome, pack_outcome, unpack_outcome
from engine.record.reason import SealedReason
from engine.record.record import Record
from engine.record.verdict import Verdict


def pack_record(record: Record) -> list[bytes]:
    """Return the bodies of a valid record: one per round (turn), or one for its outcome."""
    canonical = record.canonical()
    if canonical.outcome is not None:
        return [pack_outcome(canonical.outcome)]
    return list(record.kind.pack(record.start(), canonical.rounds))


def unpack_record(
    header: str, handles: Sequence[str], names: Sequence[Name] | None, bodies: Sequence[bytes]
) -> Record:
    """Return the record of a stored header, the handles and names by seat, and the bodies.

    It has no `result`, and without `names` it has no digests; its rounds or its outcome are
    canonical. Raise ValueError if they don't make a record. All handles must differ, pseudonyms
    too.
    """
    if names is not None and len(names) != len(handles):
        raise ValueError(f"there are {len(handles)} seats, not {len(names)}")
    empty = replace(read_header(header, handles), names=None if names is None else tuple(names))
    if is_outcome(bodies):
        return replace(empty, outcome=unpack_outcome(bodies[0], len(empty.seats)))
    return replace(empty, rounds=tuple(empty.kind.unpack(empty.start(), bodies)))


def is_same_game(
    record: Record, names: Sequence[Name], head: bytes, reason: SealedReason | None = None
) -> bool:
    """Return True if the last digest of a valid record, sealed with these names and this reason, is
    `head`.

    The record's own names and reason are ignored, and an erased player's seat may have any handle.
    """
    if len(names) != len(record.seats):
        return False
    return digests(replace(record, names=tuple(names), reason=reason))[-1] == head


def replay_stored(header: str, handles: Sequence[str], bodies: Sequence[bytes]) -> Verdict:
    """Return the verdict on a stored game, without the results of its rounds.

    `header`: as stored; `handles`: by seat; `bodies`: those of its rounds (turns), or of its
    outcome. Digests aren't checked. Codes: those of the checker, and `bad_record` for a game that
    can't have been stored.
    """
    heading = read_heading(header, handles)
    if heading is not None:
        ending = _bulk_ending(heading.kind, heading.start, bodies)
        if ending is not None:
            return Verdict(heading.record_id, heading.kind, ending=ending)
    try:
        record = unpack_record(header, handles, None, bodies)
        return replace(replay(record), rounds=())
    except ValueError as error:
        message = Message.of("{reason}", {"reason": str(error)})
        return Verdict(None, error=Illegal("bad_record", message))


def replay_unpacked(record: Record, bodies: Sequence[bytes]) -> Verdict:
    """Return the verdict on a record that `unpack_record` made of these bodies, faster than
    `replay` where its kind can; it may lack the results of the rounds."""
    ending = _bulk_ending(record.kind, record.start(), bodies)
    if ending is None:
        return replay(record)
    return Verdict(record.record_id, record.kind, ending=ending)


def _bulk_ending(kind: AnyKind, start: Any, bodies: Sequence[bytes]) -> Ending | None:
    if kind.bulk is None:
        return None
    return kind.bulk(start, bodies)
