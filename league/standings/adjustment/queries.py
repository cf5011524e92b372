"""What arbiters have adjusted in games, and stands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.models import Game
from league.core import sql
from league.standings.adjustment.domain import Adjustments
from league.standings.adjustment.models import Penalty, SetOrder

ORDER: Final = (
    "(SELECT ranks FROM league_setorder WHERE game_id = {game} ORDER BY number DESC LIMIT 1)"
)
"""The ranks that were set for a game; NULL where none are, for statements written in SQL."""
PENALTIES: Final = """
    CASE WHEN EXISTS (
        SELECT
        FROM league_penalty
        WHERE game_id = {game}
    ) THEN ARRAY(
        SELECT COALESCE(
            (
                SELECT sum(points)
                FROM league_penalty
                WHERE game_id = {game} AND seat = sitting.number
            ),
            0
        )::int
        FROM games_seat sitting
        WHERE sitting.game_id = {game}
        ORDER BY sitting.number
    ) END
"""
"""The points that each seat of a game loses; NULL where nobody ever did."""


def adjustments_of(game: Game) -> Adjustments:
    """Read what stands of a game. One query."""
    row = sql.row(
        (
            f"""
            SELECT {ORDER.format(game="game.id")}, {PENALTIES.format(game="game.id")}
            FROM games_game game
            WHERE id = %s
            """
        ),
        [game.pk],
    )
    return adjustments_read(*row)


def adjustments_read(order: Sequence[int] | None, penalties: Sequence[int] | None) -> Adjustments:
    """The adjustments that the columns `ORDER` and `PENALTIES` tell."""
    lost = tuple(penalties or ())
    return Adjustments(None if order is None else tuple(order), lost if any(lost) else ())


def standing_penalties(game: Game) -> list[Penalty]:
    """The penalties of a game that nobody has lifted, in order. One query."""
    return list(Penalty.objects.filter(game=game, lifts=None, lift=None).order_by("number"))


def standing_order(game: Game) -> SetOrder | None:
    """The order that is set for a game; None where its seats count as they finished. One query."""
    order = SetOrder.objects.filter(game=game).order_by("-number").first()
    return order if order is not None and order.ranks is not None else None
