"""A whole record in its stored form: the canonical header as text, and each round (turn) as a few bytes."""

from collections.abc import Sequence
from dataclasses import replace

from engine.illegal import Illegal
from engine.record.canonical import canonical_header, digests, first_digest, next_digest
from engine.record.check import check
from engine.record.record import Record, parse, read_kind, read_value
from engine.record.verdict import Verdict
from engine.record.verify import wrong_digest


def pack_record(record: Record) -> list[bytes]:
    """The stored form of each round (turn) of a record that is ok."""
    kind = record.kind
    return list(kind.pack(record.start(), kind.canonical(record.sound_rounds())))


def unpack_record(header: str, bodies: Sequence[bytes]) -> Record:
    """The record of a canonical header and the rounds (turns) that `pack_record` gave.

    The rounds are canonical, and there is no `result`. ValueError if these aren't a record's.
    """
    value = parse(header)
    kind = None if isinstance(value, Illegal) else read_kind(value)
    if kind is None or not isinstance(value, dict):
        raise ValueError("this is no header of a record")
    empty = read_value(value | {kind.units: []})
    if isinstance(empty, Illegal):
        raise ValueError(f"{empty.path}: {empty.message}")
    return replace(empty, rounds=tuple(kind.unpack(empty.start(), bodies)))


def verify_stored(header: str, bodies: Sequence[bytes], sealed: Sequence[bytes]) -> Verdict:
    """The verdict on a stored game, without its single rounds: what came of it, or the first thing that is false.

    `header` is canonical, `bodies` are the rounds (turns) as `pack_record` gives them, and `sealed` is the chain of
    digests. Codes: `bad_record` for what can't have been stored, and `digest_mismatch`.
    """
    try:
        empty = unpack_record(header, ())
    except ValueError as error:
        return Verdict(None, error=Illegal("bad_record", str(error)))
    kind = empty.kind
    if canonical_header(empty).decode() != header:
        return Verdict(empty.id, kind, Illegal("digest_mismatch", "the header isn't in canonical form"))
    bulk = kind.bulk(empty.start(), bodies) if kind.bulk else None
    if bulk is None:
        return _verify_unpacked(header, bodies, sealed)
    chain = [first_digest(header.encode())]
    for canonical_round in bulk.canonical:
        chain.append(next_digest(chain[-1], canonical_round))
    wrong = wrong_digest(kind, chain, sealed)
    return Verdict(empty.id, kind, wrong) if wrong else Verdict(empty.id, kind, ending=bulk.ending)


def _verify_unpacked(header: str, bodies: Sequence[bytes], sealed: Sequence[bytes]) -> Verdict:
    """The longer way, which any game can go: the bytes are exactly those that the record is stored as."""
    try:
        record = unpack_record(header, bodies)
        exact = pack_record(record) == list(bodies)
    except ValueError as error:
        return Verdict(None, error=Illegal("bad_record", str(error)))
    if not exact:
        return Verdict(None, error=Illegal("bad_record", "a round has bytes that tell nothing"))
    verdict = check(record)
    wrong = verdict.error or wrong_digest(record.kind, digests(record), sealed)
    return Verdict(record.id, record.kind, wrong, ending=verdict.ending)
