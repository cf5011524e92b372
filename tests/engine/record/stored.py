"""Stored games as a database keeps them, and what finds anything that is false in one."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from engine.illegal import Illegal
from engine.messages import Message, say
from engine.record.canonical import digests
from engine.record.header import stored_header
from engine.record.names import Name
from engine.record.record import Record
from engine.record.stored import pack_record, unpack_record
from engine.record.verify import verify


class Stored(NamedTuple):
    """A game as a database keeps it."""

    header: str
    handles: tuple[str, ...]
    names: tuple[Name, ...]
    bodies: Sequence[bytes]
    digests: Sequence[bytes]


def stored(game: Record) -> Stored:
    assert game.names is not None
    return Stored(stored_header(game), game.seats, game.names, pack_record(game), digests(game))


def stored_fault(game: Stored) -> Illegal | None:
    """The first thing that is false of a stored game, as the audit finds it; None for a good
    one."""
    try:
        record = unpack_record(game.header, game.handles, game.names, game.bodies)
    except ValueError as error:
        return Illegal("bad_record", Message.of("{reason}", {"reason": str(error)}))
    found = verify(replace(record, digests=tuple(game.digests))).error
    if found is not None:
        return found
    if stored_header(record) != game.header:
        return Illegal("digest_mismatch", say("the header isn't in canonical form"))
    if pack_record(record) != list(game.bodies):
        return Illegal("bad_record", say("a round has bytes that tell nothing"))
    return None
