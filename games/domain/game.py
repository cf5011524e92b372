"""A stored game as a record, as a line of an export, or in the text notation."""

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
from engine.record.stored import replay_unpacked, unpack_record
from games.models import Game


class NotAsSealed(Exception):
    """The rows of a game contradict its digests. The argument is the game's public id."""

    CODE = "not_as_sealed"
    MESSAGE = "What is stored of this game isn't what was sealed, so it isn't given out."


def committed_seats(record: Record) -> dict[str, list[int]]:
    """Return the part of a log entry about the seats whose names came without salts.

    `committed` lists these seats, counted from 0: their names came as commitments only. Empty if
    all names have salts. A seat that isn't listed has a commitment without a salt only if its
    player was erased later."""
    numbers = [number for number, name in enumerate(record.names or ()) if name.commitment]
    if not numbers:
        return {}
    return {"committed": numbers}


def stored_record(
    header: str, handles: Sequence[str], seals: Sequence[bytes], bodies: Sequence[bytes]
) -> Record:
    """Return the record of a stored game, from its seats and rounds in order.

    Raise ValueError if they don't make a record."""
    return unpack_record(header, handles, [Name.of(seal) for seal in seals], bodies)


def proven_record(
    game: Game,
    handles: Sequence[str],
    seals: Sequence[bytes],
    bodies: Sequence[bytes],
    void: VoidMark | None = None,
) -> Record:
    """Return the stored record with the reason of a correction and the proof of the dice, if any.

    `void`: the mark of a voided game. Raise ValueError if the proof can't be read, or if the reason
    isn't the sealed one."""
    record = stored_record(game.header, handles, seals, bodies)
    record = replace(record, reason=reason_with_text(game, record.reason), voided=void)
    if game.proof is None:
        return record
    try:
        return replace(record, proof=read_proof(game.proof, len(record.seats), "proof"))
    except Refused as refused:
        raise ValueError(refused.illegal.message) from refused


def reason_with_text(game: Game, sealed: SealedReason | None) -> SealedReason | None:
    """Return the sealed reason of a correction with its text and salt.

    Once these were removed, only the commitment is left. Raise ValueError if they don't fit the
    commitment.
    """
    salt = bytes(game.reason_salt)
    if not salt and (sealed is None or not game.reason):
        return sealed
    reason = SealedReason(Name(salt=salt), game.reason)
    if sealed is None or reason.commitment != sealed.commitment:
        raise ValueError("the reason isn't the one that was sealed")
    return reason


def export_line(
    game: Game,
    handles: Sequence[str],
    seals: Sequence[bytes],
    bodies: Sequence[bytes],
    chain: Sequence[bytes],
    void: VoidMark | None = None,
) -> bytes:
    """Return the line of a game in an export, without its end.

    `chain`: the digests of the header and the rounds; `void`: the mark of a voided game. If the
    stored game isn't as it was sealed, the line says so, and is no record.
    """
    try:
        record = proven_record(game, handles, seals, bodies, void)
        return export(record, chain, replay_unpacked(record, bodies))
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
    """Return a game in the text notation, with its result; a correction names the replaced game
    and the reason."""
    verdict = replay(record)
    result = Result(verdict.rank, verdict.points) if verdict.over else None
    correction = Correction(game.external_id, game.reason) if game.replaces_id else None
    return render(replace(record, result=result), correction)
