"""Games whose result is provisional, though it counts: a ranking knows no objections, so higher wings say it."""

from __future__ import annotations

from functools import cache, reduce
from operator import or_
from typing import Final

from django.db.models import BooleanField, Exists, ExpressionWrapper, Q

from games.models import Game
from league.core.hooks import Hook

provisional_conditions: Final = Hook[[str, bool], Exists]()
"""Conditions that hold of a provisional game, or of one that ever was, by the way from a row to it."""


def is_provisional(game: str = "pk", *, ever: bool = False) -> ExpressionWrapper[Q]:
    """The condition that the result of a game is provisional, or was so `ever`, to be read along with rows; `game`: the
    way from these to it."""
    condition = reduce(or_, map(Q, provisional_conditions(game, ever)), Q(pk__in=[]))
    return ExpressionWrapper(condition, output_field=BooleanField())


@cache
def provisional_games() -> str:
    """The query that gives the keys of all games whose results are provisional, for statements written in SQL."""
    statement, parameters = Game.objects.filter(is_provisional()).order_by().values("pk").query.sql_with_params()
    return statement % parameters  # numbers alone
