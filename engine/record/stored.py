"""A whole record in its stored form, which keeps the names apart.

It is the header as text without its seats, with the bare commitment to a reason
(`engine.record.header`); for each seat a handle and a `Name`; and each round (turn), or the outcome
in their place, as a few bytes, its body."""

from collections.abc import Sequence
from dataclasses import replace

from engine.illegal import Illegal
from engine.messages import Message
from engine.record.canonical import digests
from engine.record.check import replay
from engine.record.header import read_header, read_heading
from engine.record.names import Name
from engine.record.outcome import is_outcome, pack_outcome, unpack_outcome
from engine.record.reason import SealedReason
from engine.record.record import Record
from engine.record.verdict import Verdict


def pack_record(record: Record) -> list[bytes]:
    """The stored form of each round (turn) of a record that is ok, or that of its outcome."""
    canonical = record.canonical()
    if canonical.outcome is not None:
        return [pack_outcome(canonical.outcome)]
    return list(record.kind.pack(record.start(), canonical.rounds))


def unpack_record(
    header: str, handles: Sequence[str], names: Sequence[Name] | None, bodies: Sequence[bytes]
) -> Record:
    """The record of a stored header, the handles and names by seat, and the bodies that
    `pack_record` gave.

    Without `names` it has no digests. The rounds, or the outcome, are canonical, and there is no
    `result`. ValueError if these aren't a record's; handles all differ, pseudonyms too."""
    if names is not None and len(names) != len(handles):
        raise ValueError(f"there are {len(handles)} seats, not {len(names)}")
    empty = replace(read_header(header, handles), names=None if names is None else tuple(names))
    if is_outcome(bodies):
        return replace(empty, outcome=unpack_outcome(bodies[0], len(empty.seats)))
    return replace(empty, rounds=tuple(empty.kind.unpack(empty.start(), bodies)))


def is_same_game(
    record: Record, names: Sequence[Name], head: bytes, reason: SealedReason | None = None
) -> bool:
    """True if a record that is ok tells the game that is stored under these names and for this
    reason, of which `head` is the last digest.

    Its own names and reason, if it brings any, aren't asked. At the seat of an erased player any
    handle will do."""
    if len(names) != len(record.seats):
        return False
    return digests(replace(record, names=tuple(names), reason=reason))[-1] == head


def replay_stored(header: str, handles: Sequence[str], bodies: Sequence[bytes]) -> Verdict:
    """The verdict on a stored game, whatever its digests say, without its single rounds.

    The arguments are as for `unpack_record`. Codes: those of the checker, and `bad_record` for what
    can't have been stored."""
    heading = read_heading(header, handles)
    if heading is not None and heading.kind.bulk is not None:
        ending = heading.kind.bulk(heading.start, bodies)
        if ending is not None:
            return Verdict(heading.record_id, heading.kind, ending=ending)
    try:
        return replace(replay(unpack_record(header, handles, None, bodies)), rounds=())
    except ValueError as error:
        return Verdict(
            None, error=Illegal("bad_record", Message.of("{reason}", {"reason": str(error)}))
        )
