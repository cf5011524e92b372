"""Games whose result counts, but is provisional. A ranking knows no objections, so higher wings
supply the condition."""

from __future__ import annotations

from functools import cache, reduce
from operator import or_
from typing import Final

from django.db.models import BooleanField, Exists, ExpressionWrapper, OuterRef, Q

from games.models import Game
from league.core.hooks import Hook
from league.standings.ranked_game.models import Appearance

provisional_conditions: Final = Hook[[str, bool], Exists]()
"""Conditions for a game that is provisional, or (True) ever was, given the lookup path to the
game."""


def is_provisional(game: str = "pk", *, ever: bool = False) -> ExpressionWrapper[Q]:
    """Return an annotation: whether a game's result is provisional; with `ever`, whether it ever
    was. `game`: the lookup path from the rows to their game."""
    # Without any condition, no game is provisional.
    condition = reduce(or_, map(Q, provisional_conditions(game, ever)), Q(pk__in=[]))
    return ExpressionWrapper(condition, output_field=BooleanField())


def result_is_provisional(game: Game) -> bool:
    """Return True while the result of a game is disputed. One query."""
    return Game.objects.filter(is_provisional(), pk=game.pk).exists()


@cache
def provisional_games() -> str:
    """Return the SQL that selects the keys of all games with a provisional result."""
    statement, parameters = (
        Game.objects.filter(is_provisional()).order_by().values("pk").query.sql_with_params()
    )
    return statement % parameters  # safe: the parameters are only numbers


@cache
def provisional_games_of_player(player_column: str = "player_id") -> str:
    """Return the SQL that selects the keys of a player's games with a provisional result; its
    parameter is `player`. `player_column`: `player_id` for the player who sat there, or
    `counts_for_id` for the player whom the seat counts for."""
    return f"""
        SELECT own_seat.game_id
        FROM league_appearance own_seat
        WHERE own_seat.{player_column} = %(player)s AND own_seat.game_id IN ({provisional_games()})
        """


def provisional_players(ranking_id: int) -> set[str]:
    """Return the public ids of players whose row in a ranking rests on a provisional result. One
    query."""
    seats = Appearance.objects.filter(
        is_provisional("game"), ranking=ranking_id, counts_for__isnull=False
    )
    return set(seats.values_list("counts_for__public_id", flat=True))


def provisional_rows(ranking: str, player: str) -> Exists:
    """Return an annotation: whether a ranking's row rests on a provisional result. `ranking` and
    `player`: the names of the columns that hold their ids."""
    seats = Appearance.objects.filter(ranking=OuterRef(ranking), counts_for=OuterRef(player))
    return Exists(seats.filter(is_provisional("game")))


def provisional_ratings(ranking: str, player: str) -> Exists:
    """Return an annotation: whether a rating rests on a provisional result of a game in which the
    player sat. `ranking` and `player`: the names of the columns that hold their ids."""
    seats = Appearance.objects.filter(ranking=OuterRef(ranking), player=OuterRef(player))
    return Exists(seats.filter(is_provisional("game")))
