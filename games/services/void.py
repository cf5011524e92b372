"""Voiding games, and restoring them: facts beside the game, which stays as it was sealed."""

from __future__ import annotations

from datetime import datetime

from games.models import Game, Void


class OutOfTurn(Exception):
    """The game is void already, or isn't, or a correction replaces it; `code` says which: `voided`, `not_voided`,
    `conflict`."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def void_append(*, game: Game, stands: bool, reason: str, role: str, at: datetime, by_id: int | None) -> Void:
    """Void a game or, unless this `stands`, restore it, in the caller's transaction, which lets no other one change the
    game meanwhile. Raises `OutOfTurn`."""
    if Game.objects.filter(replaces=game).exists():
        raise OutOfTurn("conflict")
    last = Void.objects.filter(game=game).order_by("-number").first()
    if stands == (last is not None and last.stands):
        raise OutOfTurn("voided" if stands else "not_voided")
    number = last.number + 1 if last else 1
    return Void.objects.create(
        game=game, number=number, stands=stands, reason=reason, role=role, made_at=at, made_by_id=by_id
    )
