"""Games as records."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.notation.text import Correction, render
from engine.record.check import check
from engine.record.proof import read_proof
from engine.record.record import Record, Result
from engine.record.stored import unpack_record
from games.models import Game, Round


def game_record(game: Game, rounds: Sequence[Round] | None = None) -> Record:
    """The record of a game as it was sealed: its canonical header, its rounds (read here unless given in order)
    and the proof of its dice."""
    rows = Round.objects.filter(game=game).order_by("number") if rounds is None else rounds
    record = unpack_record(game.header, [bytes(row.body) for row in rows])
    return replace(record, proof=read_proof(game.proof, len(record.seats), "proof")) if game.proof else record


def game_notation(game: Game, record: Record) -> str:
    """A game and its record in the text notation, with its result; a correction says what it replaces, and why."""
    verdict = check(record)
    told = replace(record, result=Result(verdict.rank, verdict.points) if verdict.over else None)
    return render(told, Correction(game.external_id, game.reason) if game.replaces_id else None)
