"""A whole record in its stored form, which keeps the names apart.

It is the header as text without its seats; for each seat a handle and a `Name`; and each round (turn) as a few bytes.
"""

from collections.abc import Sequence
from dataclasses import replace

from engine.illegal import Illegal
from engine.messages import Message, say
from engine.record.canonical import canonical_header, canonical_json, digests, first_digest, next_digest
from engine.record.check import check
from engine.record.names import Name
from engine.record.record import Record, parse, read_kind, read_value
from engine.record.verdict import Verdict
from engine.record.verify import wrong_digest
from engine.record.write import header_json


def stored_header(record: Record) -> str:
    """The canonical header without the key `seats`."""
    header = header_json(record)
    del header["seats"]
    return canonical_json(header).decode()


def pack_record(record: Record) -> list[bytes]:
    """The stored form of each round (turn) of a record that is ok."""
    kind = record.kind
    return list(kind.pack(record.start(), kind.canonical(record.sound_rounds())))


def unpack_record(header: str, handles: Sequence[str], names: Sequence[Name] | None, bodies: Sequence[bytes]) -> Record:
    """The record of a stored header, the handles and names by seat, and the rounds (turns) that `pack_record` gave.

    Without `names` it has no digests. The rounds are canonical, and there is no `result`. ValueError if these aren't a
    record's; handles all differ, pseudonyms too.
    """
    value = parse(header)
    kind = None if isinstance(value, Illegal) else read_kind(value)
    if kind is None or not isinstance(value, dict):
        raise ValueError("this is no header of a record")
    empty = read_value(value | {"seats": list(handles), kind.units: []})
    if isinstance(empty, Illegal):
        raise ValueError(f"{empty.path}: {empty.message}")
    if names is not None and len(names) != len(handles):
        raise ValueError(f"there are {len(handles)} seats, not {len(names)}")
    rounds = tuple(kind.unpack(empty.start(), bodies))
    return replace(empty, names=None if names is None else tuple(names), rounds=rounds)


def is_same_game(record: Record, names: Sequence[Name], head: bytes) -> bool:
    """Whether a record that is ok tells the game that is stored under these names, of which `head` is the last digest.

    Its own names, if it brings any, aren't asked. At the seat of an erased player any handle will do.
    """
    if len(names) != len(record.seats):
        return False
    return digests(replace(record, names=tuple(names)))[-1] == head


def verify_stored(
    header: str, handles: Sequence[str], names: Sequence[Name], bodies: Sequence[bytes], sealed: Sequence[bytes]
) -> Verdict:
    """The verdict on a stored game, without its single rounds: what came of it, or the first thing that is false.

    `sealed` is the chain of digests, the rest is as for `unpack_record`. Codes: `bad_record` for what can't have been
    stored, and `digest_mismatch`.
    """
    try:
        empty = unpack_record(header, handles, names, ())
    except ValueError as error:
        return Verdict(None, error=Illegal("bad_record", Message.of("{reason}", {"reason": str(error)})))
    kind = empty.kind
    if stored_header(empty) != header:
        return Verdict(empty.id, kind, Illegal("digest_mismatch", say("the header isn't in canonical form")))
    bulk = kind.bulk(empty.start(), bodies) if kind.bulk else None
    if bulk is None:
        return _verify_unpacked(empty, bodies, sealed)
    chain = [first_digest(canonical_header(empty))]
    for canonical_round in bulk.canonical:
        chain.append(next_digest(chain[-1], canonical_round))
    wrong = wrong_digest(kind, chain, sealed)
    return Verdict(empty.id, kind, wrong) if wrong else Verdict(empty.id, kind, ending=bulk.ending)


def _verify_unpacked(empty: Record, bodies: Sequence[bytes], sealed: Sequence[bytes]) -> Verdict:
    """The longer way, which any game can go: the bytes are exactly those that the record is stored as."""
    try:
        record = replace(empty, rounds=tuple(empty.kind.unpack(empty.start(), bodies)))
        exact = pack_record(record) == list(bodies)
    except ValueError as error:
        return Verdict(empty.id, empty.kind, Illegal("bad_record", Message.of("{reason}", {"reason": str(error)})))
    if not exact:
        return Verdict(empty.id, empty.kind, Illegal("bad_record", say("a round has bytes that tell nothing")))
    verdict = check(record)
    wrong = verdict.error or wrong_digest(record.kind, digests(record), sealed)
    return Verdict(record.id, record.kind, wrong, ending=verdict.ending)
