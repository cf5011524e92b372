"""Games as a ranking holds them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from django.db import connection


class HeldSeat(NamedTuple):
    """A seat of a game in a ranking, by the id of its player, and of the one for whom it counts."""

    player: int
    counts_for: int | None
    rank: int | None
    points: int | None


class HeldGame(NamedTuple):
    """The rows of one game in a ranking, seats in order."""

    played_at: datetime
    natural_id: str
    event: str
    over: bool
    only_end: bool
    voided: bool
    seats: tuple[HeldSeat, ...]


def held_games(ranking_id: int, games: Sequence[int]) -> dict[int, HeldGame]:
    """The rows of games in a ranking, by the game's id; one that isn't held isn't in it."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT game_id, played_at, natural_id, event, over, only_end, voided, (SELECT json_agg(json_build_array("
            "  player_id, counts_for_id, rank, points) ORDER BY seat)"
            "  FROM league_appearance seat"
            "  WHERE seat.ranking_id = game.ranking_id AND seat.game_id = game.game_id)"
            " FROM league_rankedgame game WHERE ranking_id = %s AND game_id = ANY(%s)",
            [ranking_id, list(games)],
        )
        return {
            game: HeldGame(
                played_at, name, event, over, only_end, voided, tuple(HeldSeat(*seat) for seat in seats or ())
            )
            for game, played_at, name, event, over, only_end, voided, seats in cursor
        }


def games_voided(ranking_id: int, games: Sequence[int]) -> dict[int, bool]:
    """Tell of those of these games that a ranking holds, by their ids, whether it holds them as void. One query."""
    if not games:
        return {}
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT game_id, voided FROM league_rankedgame WHERE ranking_id = %s AND game_id = ANY(%s)",
            [ranking_id, list(games)],
        )
        return dict(cursor.fetchall())
