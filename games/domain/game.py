"""A game as its rows keep it, turned into a record, a line of an export, or the text notation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.illegal import Refused
from engine.notation.text import Correction, render
from engine.record.canonical import canonical_json
from engine.record.check import replay
from engine.record.export import export
from engine.record.names import Name
from engine.record.proof import read_proof
from engine.record.reason import SealedReason, VoidMark
from engine.record.record import VERSION, Record, Result
from engine.record.shape import Json
from engine.record.stored import unpack_record
from games.models import Game, Seat


class NotAsSealed(Exception):
    """The rows of a game contradict its digests. The argument is the game's public id."""

    CODE = "not_as_sealed"
    MESSAGE = "What is stored of this game isn't what was sealed, so it isn't given out."


def committed_seats(record: Record) -> dict[str, list[int]]:
    """Return what a log says of the names of a game: in `committed` the seats, counted from 0,
    whose names came as bare commitments. No other seat ever has one but by an erasure. Empty where
    all have salts."""
    numbers = [number for number, name in enumerate(record.names or ()) if name.commitment]
    return {"committed": numbers} if numbers else {}


def stored_record(
    header: str, handles: Sequence[str], seals: Sequence[bytes], bodies: Sequence[bytes]
) -> Record:
    """The record of what a game is stored as, seats and rounds in order. ValueError if it is
    none."""
    return unpack_record(header, handles, [seat_name(seal) for seal in seals], bodies)


def proven_record(
    game: Game,
    handles: Sequence[str],
    seals: Sequence[bytes],
    bodies: Sequence[bytes],
    void: VoidMark | None = None,
) -> Record:
    """As `stored_record`, with the text of a correction's reason while it stands, and the proof of
    the game's dice if it has one; `void`: the mark of a voided one. ValueError if that is no proof,
    or the reason isn't the one that is sealed."""
    record = stored_record(game.header, handles, seals, bodies)
    record = replace(record, reason=told_reason(game, record.reason), voided=void)
    if game.proof is None:
        return record
    try:
        return replace(record, proof=read_proof(game.proof, len(record.seats), "proof"))
    except Refused as refused:
        raise ValueError(refused.illegal.message) from refused


def told_reason(game: Game, sealed: SealedReason | None) -> SealedReason | None:
    """The sealed reason of a correction with its text and salt, or the bare commitment once these
    were removed. ValueError if they aren't those of the commitment."""
    salt = bytes(game.reason_salt)
    if not salt and (sealed is None or not game.reason):
        return sealed
    reason = SealedReason(Name(salt=salt), game.reason)
    if sealed is None or reason.commitment != sealed.commitment:
        raise ValueError("the reason isn't the one that was sealed")
    return reason


def seat_name(seal: bytes) -> Name:
    """The salt or the commitment of a seat's handle, from the column `seal`."""
    return Name(salt=seal) if len(seal) == Seat.SALT else Name(commitment=seal)


def export_line(
    game: Game,
    handles: Sequence[str],
    seals: Sequence[bytes],
    bodies: Sequence[bytes],
    chain: Sequence[bytes],
    void: VoidMark | None = None,
) -> bytes:
    """The line of a game in an export, without its end; `chain` are the digests of the header and
    the rounds, and `void` is the mark of a voided one.

    A game that isn't stored as it was sealed has a line that says so, which is no record.
    """
    try:
        return export(proven_record(game, handles, seals, bodies, void), chain)
    except (ValueError, Refused):
        error: dict[str, Json] = {
            "code": NotAsSealed.CODE,
            "message": NotAsSealed.MESSAGE,
            "game": game.public_id,
        }
        return canonical_json(
            {"v": VERSION, "id": game.external_id, "game": game.kind, "error": error}
        )


def game_notation(game: Game, record: Record) -> str:
    """A game and its record in the text notation, with its result; a correction says what it
    replaces, and why."""
    verdict = replay(record)
    result = Result(verdict.rank, verdict.points) if verdict.over else None
    correction = Correction(game.external_id, game.reason) if game.replaces_id else None
    return render(replace(record, result=result), correction)
