"""What is needed to adjust a game: how it ended, and who sat there."""

from __future__ import annotations

from collections.abc import Sequence

from engine.record.check import replay
from engine.record.kind import Ending
from games.models import Game, Seat
from games.queries.game import game_record
from league.core.player.queries.player import players_of_handles
from league.stages.adjustment.domain import adjustments_kept
from league.standings.adjustment.domain import NO_ADJUSTMENTS, Adjustments
from league.standings.adjustment.queries import adjustments_of


def ending_played(game: Game) -> Ending:
    """Return how a game ended as it was played, without adjustments."""
    return replay(game_record(game)).ending


def ranks_counting(game: Game) -> tuple[int, ...]:
    """Return the ranks of a finished game as they count, in seat order."""
    return adjustments_of(game).ranks(ending_played(game).rank or ())


def players_seated(club_id: int, game: Game) -> list[int | None]:
    """Return the ids of the players in the seats of a game, in seat order; None for a handle that
    belongs to nobody any more."""
    handles = Seat.objects.filter(game=game).order_by("number").values_list("handle", flat=True)
    return list(players_of_handles(club_id, list(handles)))


def adjustments_carried(game: Game, players: Sequence[int | None], ending: Ending) -> Adjustments:
    """Return the adjustments that would be kept if a game, loaded with its season, were corrected
    to one with these players and this ending."""
    adjustments = adjustments_of(game)
    if adjustments == NO_ADJUSTMENTS or ending.rank is None:
        return NO_ADJUSTMENTS
    return adjustments_kept(
        adjustments, players_seated(game.season_game.season.club_id, game), players
    )
