"""A whole record in its stored form, which keeps the names apart.

It is the header as text without its seats, with the bare commitment to a reason (`engine.record.header`); for each
seat a handle and a `Name`; and each round (turn), or the outcome in their place, as a few bytes, its body.
"""

from collections.abc import Sequence
from dataclasses import replace

from engine.illegal import Illegal
from engine.messages import Message, say
from engine.record.canonical import digests, first_digest, next_digests
from engine.record.check import replay
from engine.record.header import Heading, read_header, read_heading, stored_header
from engine.record.kind import Bulk
from engine.record.names import Name
from engine.record.outcome import is_outcome, pack_outcome, unpack_outcome
from engine.record.reason import SealedReason
from engine.record.record import Record
from engine.record.verdict import Verdict
from engine.record.verify import wrong_digest


def pack_record(record: Record) -> list[bytes]:
    """The stored form of each round (turn) of a record that is ok, or that of its outcome."""
    canonical = record.canonical()
    if canonical.outcome is not None:
        return [pack_outcome(canonical.outcome)]
    return list(record.kind.pack(record.start(), canonical.rounds))


def unpack_record(header: str, handles: Sequence[str], names: Sequence[Name] | None, bodies: Sequence[bytes]) -> Record:
    """The record of a stored header, the handles and names by seat, and the bodies that `pack_record` gave.

    Without `names` it has no digests. The rounds, or the outcome, are canonical, and there is no `result`. ValueError
    if these aren't a record's; handles all differ, pseudonyms too.
    """
    empty = read_header(header, handles)
    if names is not None and len(names) != len(handles):
        raise ValueError(f"there are {len(handles)} seats, not {len(names)}")
    return replace(_with_bodies(empty, bodies), names=None if names is None else tuple(names))


def _with_bodies(empty: Record, bodies: Sequence[bytes]) -> Record:
    """The record with what these bodies tell; ValueError for bytes that `pack_record` can't have given."""
    if is_outcome(bodies):
        return replace(empty, outcome=unpack_outcome(bodies[0], len(empty.seats)))
    return replace(empty, rounds=tuple(empty.kind.unpack(empty.start(), bodies)))


def is_same_game(record: Record, names: Sequence[Name], head: bytes, reason: SealedReason | None = None) -> bool:
    """True if a record that is ok tells the game that is stored under these names and for this reason, of which `head`
    is the last digest.

    Its own names and reason, if it brings any, aren't asked. At the seat of an erased player any handle will do.
    """
    if len(names) != len(record.seats):
        return False
    return digests(replace(record, names=tuple(names), reason=reason))[-1] == head


def replay_stored(header: str, handles: Sequence[str], bodies: Sequence[bytes]) -> Verdict:
    """The verdict on a stored game, whatever its digests say, without its single rounds.

    The arguments are as for `unpack_record`. Codes: those of the checker, and `bad_record` for what can't have been
    stored.
    """
    quick = _replay_quickly(header, handles, bodies)
    if quick is not None:
        heading, bulk = quick
        return Verdict(heading.record_id, heading.kind, ending=bulk.ending)
    try:
        return replace(replay(unpack_record(header, handles, None, bodies)), rounds=())
    except ValueError as error:
        return Verdict(None, error=_no_record(error))


def verify_stored(
    header: str, handles: Sequence[str], names: Sequence[Name], bodies: Sequence[bytes], sealed: Sequence[bytes]
) -> Verdict:
    """The verdict on a stored game, without its single rounds: what came of it, or the first thing that is false.

    `sealed` is the chain of digests, the rest is as for `unpack_record`. Codes: `bad_record` for what can't have been
    stored, and `digest_mismatch`.
    """
    quick = _replay_quickly(header, handles, bodies)
    if quick is not None and len(names) == len(handles):
        heading, bulk = quick
        first = first_digest(heading.canonical(map(Name.sealed, names, handles)))
        # Each digest is made of the one before it as it is sealed: if all are equal, they are the chain.
        if [first, *next_digests(sealed, bulk.canonical)] == list(sealed):
            return Verdict(heading.record_id, heading.kind, ending=bulk.ending)
    return _verify_unpacked(header, handles, names, bodies, sealed)


def _replay_quickly(header: str, handles: Sequence[str], bodies: Sequence[bytes]) -> tuple[Heading, Bulk] | None:
    """The heading of a good game, and what came of its rounds; None says that the longer way has to be gone."""
    heading = read_heading(header, handles)
    if heading is None or heading.kind.bulk is None:
        return None
    bulk = heading.kind.bulk(heading.start, bodies)
    return None if bulk is None else (heading, bulk)


def _verify_unpacked(
    header: str, handles: Sequence[str], names: Sequence[Name], bodies: Sequence[bytes], sealed: Sequence[bytes]
) -> Verdict:
    """The longer way, which any game can go, and which says what is wrong."""
    try:
        empty = unpack_record(header, handles, names, ())
    except ValueError as error:
        return Verdict(None, error=_no_record(error))
    if stored_header(empty) != header:
        return Verdict(
            empty.record_id, empty.kind, Illegal("digest_mismatch", say("the header isn't in canonical form"))
        )
    try:
        record = _with_bodies(empty, bodies)
        exact = pack_record(record) == list(bodies)
    except ValueError as error:
        return Verdict(empty.record_id, empty.kind, _no_record(error))
    if not exact:
        return Verdict(empty.record_id, empty.kind, Illegal("bad_record", say("a round has bytes that tell nothing")))
    verdict = replay(record)
    wrong = verdict.error or wrong_digest(record, digests(record), sealed)
    return Verdict(record.record_id, record.kind, wrong, ending=verdict.ending)


def _no_record(error: ValueError) -> Illegal:
    return Illegal("bad_record", Message.of("{reason}", {"reason": str(error)}))
