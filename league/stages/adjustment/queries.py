"""A game that arbiters adjust: how it ended, and who sat there."""

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
    """Read how a game ended as it was played, whatever arbiters have adjusted since."""
    return replay(game_record(game)).ending


def ranks_counting(game: Game) -> tuple[int, ...]:
    """Read the ranks of a game that is over as they count, in seat order."""
    return adjustments_of(game).ranks(ending_played(game).rank or ())


def players_seated(club_id: int, game: Game) -> list[int | None]:
    """Read the players in the seats of a game, in seat order; None for one whom nobody is any
    more."""
    handles = Seat.objects.filter(game=game).order_by("number").values_list("handle", flat=True)
    return list(players_of_handles(club_id, list(handles)))


def adjustments_carried(game: Game, players: Sequence[int | None], ending: Ending) -> Adjustments:
    """Read what would be left of the adjustments of a game, which comes with its season, if it were
    corrected to one of these players that ends so."""
    adjustments = adjustments_of(game)
    if adjustments == NO_ADJUSTMENTS or ending.rank is None:
        return NO_ADJUSTMENTS
    return adjustments_kept(
        adjustments, players_seated(game.season_game.season.club_id, game), players
    )
