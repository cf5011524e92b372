"""Playing a game again from a round, and voiding a round of it."""

from __future__ import annotations

from typing import Any

from django.db import transaction

from games.models import Game
from league.core.log.services import Actor, club_journal
from league.disputes.play_again.queries import playable_from
from league.records.game.services import sealing_hold
from league.sheets.sheet.models import TableOpenGame
from league.sheets.sheet.services.open_game import table_play_again_open
from league.stages.result.services.result import result_hold
from league.stages.result.services.void import game_void_add
from league.standings.ranked_game.actions import GameAction
from league.standings.season.models import PLAY_AGAIN


def game_play_again(
    *, game: Game, round_number: int, actor: Actor, role: str = ""
) -> TableOpenGame:
    """Void a table's game, loaded with its season and club, and open it again from a round, counted
    from 1. Return the open game with its sheet.

    The sheet begins with the sealed rounds before that round, which nobody can undo or amend. The
    sealed sheet will be the next revision of the game. As long as nothing is written on the sheet,
    `game_restore` takes all this back. `role`: the role in which the actor decides; by default
    their role in the club or at the event.

    Raise `Refused` with `reason_needed` or `reason_too_long`, and if the game can't be played again
    (`playable_from`).
    """
    return _play_again(game, round_number, actor, role, voids_round=False)


def round_void(*, game: Game, round_number: int, actor: Actor, role: str = "") -> TableOpenGame:
    """Void a round of a table's game, counted from 1, and return the open game on which it is
    played again.

    Rulings B18, K17: in a void round nobody loses or notes anything, and the same seat opens again.
    The rounds after it began with the dice that it left, so they are undone, too. The void round
    stays on the sheet. A round can't be voided once the event's round is closed: then the result
    stands, or the game is void.

    Raise `Refused` with `reason_needed` or `reason_too_long`, if the game can't be played again
    (`playable_from`), and with `not_played_out` for a round that wasn't played out."""
    return _play_again(game, round_number, actor, role, voids_round=True)


@transaction.atomic
def _play_again(
    game: Game, round_number: int, actor: Actor, role: str, *, voids_round: bool
) -> TableOpenGame:
    actor = actor.with_reason(actor.reason)  # refuses an empty or long reason
    club_id = game.season_game.season.club_id
    with club_journal(club_id, actor) as journal:
        result_hold(game=game)
        sealing_hold(journal)
        playable = playable_from(game, round_number, voids_round=voids_round)
    void = game_void_add(game=game, actor=actor, role=role)
    with club_journal(club_id, actor) as journal:
        journal.at = void.made_at  # both facts are one decision, so they have one time
        row = table_play_again_open(
            table_game=playable.table_game,
            void=void,
            round_number=round_number,
            voids_round=voids_round,
        )
        details: dict[str, Any] = {
            "open_game": row.open_game.public_id,
            "number": void.number,
            "round": round_number,
            "role": void.role,
        }
        if voids_round:
            details["voids_round"] = True
        journal.add(GameAction.PLAY_AGAIN, game.public_id, details)
        journal.state(PLAY_AGAIN, [row.open_game.play_again])
    return row
