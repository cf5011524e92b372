"""Voiding and restoring games, by facts that leave the sealed game unchanged."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from engine.illegal import Illegal, Refused
from engine.messages import Message, say
from games.models import Game, OpenSheet, Void
from games.queries.play_again import is_begun, play_again_of
from games.queries.void import game_void

OUT_OF_TURN: Final[dict[str, Message]] = {
    "voided": say("this game is already void"),
    "not_voided": say("this game isn't void"),
    "conflict": say("this game was corrected: void or restore its newest revision"),
    "played_again": say(
        "this game is being played again, and its sheet has been written on: play it to its end"
    ),
}


def refuse_out_of_turn(*, game: Game, stands: bool) -> None:
    """Raise `Refused` if a game can't be voided (`stands`) or restored (not `stands`).

    Errors: `conflict` for a corrected game, `voided` or `not_voided` if the game is void, or isn't,
    already, and `played_again` if its next revision is being written down."""
    code = _obstacle(game, stands=stands)
    if code is not None:
        raise Refused(Illegal(code, OUT_OF_TURN[code]))


def _obstacle(game: Game, *, stands: bool) -> str | None:
    if Game.objects.filter(replaces=game).exists():
        return "conflict"
    is_void = game_void(game) is not None
    if stands:
        return "voided" if is_void else None
    if not is_void:
        return "not_voided"
    if _is_played_again(game):
        return "played_again"
    return None


def _is_played_again(game: Game) -> bool:
    play_again = play_again_of(game)
    return play_again is not None and is_begun(play_again)


def play_again_hold(game: Game) -> None:
    """Lock the sheet on which a game is played again, if any, until the transaction ends.

    Restoring a game takes this lock before all others. So does sealing the sheet: locks in the same
    order can't block each other.
    """
    play_again = play_again_of(game)
    if play_again is not None:
        # A lock: the row itself isn't needed.
        OpenSheet.objects.select_for_update(no_key=True).get(open_game=play_again.open_game_id)


def void_append(
    *, game: Game, stands: bool, reason: str, role: str, at: datetime, by_id: int | None
) -> Void:
    """Void a game (`stands`) or restore it (not `stands`), in the caller's transaction.

    The transaction must keep others from changing the game meanwhile. `reason`, `role`: why, and by
    which role of the account. Raise `Refused` with an error of `refuse_out_of_turn`.
    """
    refuse_out_of_turn(game=game, stands=stands)
    number = Void.objects.filter(game=game).count() + 1
    return Void.objects.create(
        game=game,
        number=number,
        stands=stands,
        reason=reason,
        role=role,
        made_at=at,
        made_by_id=by_id,
    )
