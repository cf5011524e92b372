"""The adjustments of games that hold now."""

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
"""The SQL for the ranks that were set for a game; NULL if none are."""
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
"""The SQL for the points that each seat of a game loses; NULL if no seat ever had a penalty."""


def adjustments_of(game: Game) -> Adjustments:
    """Return the adjustments of a game that hold now. One query."""
    row = sql.row(
        f"""
        SELECT {ORDER.format(game="game.id")}, {PENALTIES.format(game="game.id")}
        FROM games_game game
        WHERE id = %s
        """,
        [game.pk],
    )
    return adjustments_read(*row)


def adjustments_read(order: Sequence[int] | None, penalties: Sequence[int] | None) -> Adjustments:
    """Return the adjustments that a query has selected by `ORDER` and `PENALTIES`."""
    points = tuple(penalties or ())
    return Adjustments(
        order=None if order is None else tuple(order),
        penalties=points if any(points) else (),
    )


def standing_penalties(game: Game) -> list[Penalty]:
    """Return the penalties of a game that nobody has lifted, in order. One query."""
    return list(Penalty.objects.filter(game=game, lifts=None, lift=None).order_by("number"))


def standing_order(game: Game) -> SetOrder | None:
    """Return the order that is set for a game; None if its seats count as they finished. One
    query."""
    order = SetOrder.objects.filter(game=game).order_by("-number").first()
    if order is None or order.ranks is None:
        return None
    return order
