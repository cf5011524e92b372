"""Games as records."""

from __future__ import annotations

from collections.abc import Sequence

from engine.record.record import Record
from engine.record.stored import unpack_record
from games.models import Game, Round


def game_record(game: Game, rounds: Sequence[Round] | None = None) -> Record:
    """The record of a game as it was sealed: its canonical header and its rounds (read here unless given in order)."""
    rows = Round.objects.filter(game=game).order_by("number") if rounds is None else rounds
    return unpack_record(game.header, [bytes(row.body) for row in rows])
