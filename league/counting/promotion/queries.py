"""The season that follows a closed one, and the games that keep a season from being closed."""

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
"""The lookup path from a game to the name of its event."""


def season_after(season: Season) -> Season | None:
    """Return the season that started when this one was closed, by the club's log; None if it isn't
    closed."""
    closing = LogEntry.objects.filter(
        club=season.club_id, action=PromotionAction.SEASON_CLOSED, subject=season.public_id
    )
    payload = closing.values_list("payload", flat=True).first()
    if payload is None:
        return None
    return Season.objects.get(club=season.club_id, public_id=json.loads(payload)["next"])


def disputed_games(season: Season) -> list[DisputedGame]:
    """Return the games of a season with provisional results, in the order they were entered. One
    query."""
    games = Game.objects.filter(is_provisional(), season_game__season=season).order_by(
        "entered_at", "pk"
    )
    rows = games.values_list("public_id", EVENT, "table")
    return [DisputedGame(public_id, event or "", table) for public_id, event, table in rows]
