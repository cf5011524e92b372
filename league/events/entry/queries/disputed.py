"""Entries of an event whose places rest on a disputed result."""

from __future__ import annotations

from django.db.models import BooleanField, ExpressionWrapper, Q

from games.models import Game
from league.standings.ranked_game.queries.provisional import is_provisional


def sat_at_disputed(entry: str, event_id: int, **games: object) -> ExpressionWrapper[Q]:
    """Return the condition that an entry of an event sat at a game whose result is provisional.

    `entry`: the way to it from the rows that are read; `games`: further conditions on the games.
    """
    disputed = Game.objects.filter(
        is_provisional(), table_game__table__seats__entry__event=event_id, **games
    )
    entries = disputed.order_by().values("table_game__table__seats__entry")
    return ExpressionWrapper(Q(**{f"{entry}__in": entries}), output_field=BooleanField())
