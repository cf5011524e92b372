"""Games whose result is provisional, though it counts: a ranking knows no objections, so higher
wings say it."""

from __future__ import annotations

from functools import cache, reduce
from operator import or_
from typing import Final

from django.db.models import BooleanField, Exists, ExpressionWrapper, OuterRef, Q

from games.models import Game
from league.core.hooks import Hook
from league.standings.ranked_game.models import Appearance

provisional_conditions: Final = Hook[[str, bool], Exists]()
"""Conditions that hold of a provisional game, or of one that ever was, by the way from a row to
it."""


def is_provisional(game: str = "pk", *, ever: bool = False) -> ExpressionWrapper[Q]:
    """The condition that the result of a game is provisional, or was so `ever`, to be read along
    with rows; `game`: the way from these to it."""
    condition = reduce(or_, map(Q, provisional_conditions(game, ever)), Q(pk__in=[]))
    return ExpressionWrapper(condition, output_field=BooleanField())


def result_is_provisional(game: Game) -> bool:
    """Return True while the result of a game is disputed. One query."""
    return Game.objects.filter(is_provisional(), pk=game.pk).exists()


@cache
def provisional_games() -> str:
    """The query that gives the keys of all games whose results are provisional, for statements
    written in SQL."""
    statement, parameters = (
        Game.objects.filter(is_provisional()).order_by().values("pk").query.sql_with_params()
    )
    return statement % parameters  # numbers alone


@cache
def provisional_games_of_player(seat: str = "player_id") -> str:
    """The query that gives the keys of a player's games whose results are provisional, for
    statements in SQL with the parameter `player`; `seat`: the column that names the player,
    `counts_for_id` for the one for whom a seat counts."""
    return f"""
        SELECT own_seat.game_id
        FROM league_appearance own_seat
        WHERE own_seat.{seat} = %(player)s AND own_seat.game_id IN ({provisional_games()})
        """


def provisional_players(ranking_id: int) -> set[str]:
    """Read whose row in a ranking rests on a provisional result, by public id. One query."""
    seats = Appearance.objects.filter(
        is_provisional("game"), ranking=ranking_id, counts_for__isnull=False
    )
    return set(seats.values_list("counts_for__public_id", flat=True))


def provisional_rows(ranking: str, player: str) -> Exists:
    """The condition that a row of a ranking rests on a provisional result, to be read along with
    rows that name the `ranking` and the `player`."""
    seats = Appearance.objects.filter(ranking=OuterRef(ranking), counts_for=OuterRef(player))
    return Exists(seats.filter(is_provisional("game")))


def provisional_ratings(ranking: str, player: str) -> Exists:
    """The condition that a rating rests on a provisional result, to be read along with rows that
    name the `ranking` and the `player`: that of a game in which the player sat."""
    seats = Appearance.objects.filter(ranking=OuterRef(ranking), player=OuterRef(player))
    return Exists(seats.filter(is_provisional("game")))
