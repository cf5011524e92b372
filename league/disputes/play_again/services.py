"""Playing a game again from a round, and voiding a round of it."""

from __future__ import annotations

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
    """Have a table's game played again from a round, counted from 1, and return the open game with
    its sheet.

    The sheet holds the rounds before it as they were sealed; nobody undoes or amends them. The
    game, which comes with its season and club, is void from now on. Sealed anew, it is the next
    revision. `game_restore` takes all this back while nothing is written on the sheet. `role`: that
    in which it is decided, if it isn't one in the club or at the event.

    Raises `Refused` with `reason_needed` or `reason_too_long`, and as `playable_from` does.
    """
    return _play_again(game, round_number, actor, role, voids_round=False)


def round_void(*, game: Game, round_number: int, actor: Actor, role: str = "") -> TableOpenGame:
    """Void a round of a table's game, counted from 1, and return the open game on which it is
    played again.

    Nothing was lost or noted in a void round, and the same seat opens again (rulings B18, K17). All
    rounds behind it were played with what was lost in it, so they go, too: this is
    `game_play_again`, but that the sheet tells of the void round. Once the event's round is closed
    nobody can play it again: then the result stands, or the game is void.

    Raises `Refused` as `game_play_again` does, and with `not_played_out` for a round that is void
    already, and for an entry that is none."""
    return _play_again(game, round_number, actor, role, voids_round=True)


@transaction.atomic
def _play_again(
    game: Game, round_number: int, actor: Actor, role: str, *, voids_round: bool
) -> TableOpenGame:
    actor = actor.with_reason(actor.reason)
    club_id = game.season_game.season.club_id
    with club_journal(club_id, actor) as journal:
        result_hold(game=game)
        sealing_hold(journal)
        playable = playable_from(game, round_number, voids_round=voids_round)
    void = game_void_add(game=game, actor=actor, role=role)
    with club_journal(club_id, actor) as journal:
        journal.at = void.made_at  # one decision
        row = table_play_again_open(
            table_game=playable.table_game,
            void=void,
            round_number=round_number,
            voids_round=voids_round,
        )
        payload = {
            "open_game": row.open_game.public_id,
            "number": void.number,
            "round": round_number,
            "role": void.role,
            **({"voids_round": True} if voids_round else {}),
        }
        journal.add(GameAction.PLAY_AGAIN, game.public_id, payload)
        journal.state(PLAY_AGAIN, [row.open_game.play_again])
    return row
