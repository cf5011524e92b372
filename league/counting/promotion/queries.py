"""The season that came of another one, and the games that keep a season from being closed."""

from __future__ import annotations

import json
from typing import Final

from games.models import Game
from league.core.log.models import LogEntry
from league.counting.promotion.actions import PromotionAction
from league.counting.promotion.domain import DisputedGame
from league.standings.ranked_game.queries.provisional import is_provisional
from league.standings.season.models import Season

EVENT: Final = "table_game__table__stage_round__stage__event__name"
"""The way from a game to the name of the event at which it was played."""


def season_after(season: Season) -> Season | None:
    """The season that began when this one was closed, as the club's log tells; None: it isn't
    closed."""
    closing = LogEntry.objects.filter(
        club=season.club_id, action=PromotionAction.SEASON_CLOSED, subject=season.public_id
    )
    payload = closing.values_list("payload", flat=True).first()
    return (
        None
        if payload is None
        else Season.objects.get(club=season.club_id, public_id=json.loads(payload)["next"])
    )


def disputed_games(season: Season) -> list[DisputedGame]:
    """Read the games of a season whose results are provisional, the first that came in first. One
    query."""
    games = Game.objects.filter(is_provisional(), season_game__season=season).order_by(
        "entered_at", "pk"
    )
    rows = games.values_list("public_id", EVENT, "table")
    return [DisputedGame(public_id, event or "", table) for public_id, event, table in rows]
