"""Games as a ranking holds them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import reduce
from operator import or_
from typing import Any, NamedTuple

from django.db.models import Exists, OuterRef, Q, QuerySet

from league.core import sql
from league.standings.ranked_game.domain.game import MICROSECONDS, Place, instant
from league.standings.ranked_game.models import Appearance


class HeldSeat(NamedTuple):
    """A seat of a game in a ranking: the id of its player, and of the player it counts for."""

    player: int
    counts_for: int | None
    rank: int | None
    points: int | None
    penalty: int


class HeldGame(NamedTuple):
    """The rows of one game in a ranking; each column of its seats as a list, in seat order."""

    played_at: datetime
    natural_id: str
    event: str
    over: bool
    only_end: bool
    voided: bool
    players: list[int]
    counts_for: list[int | None]
    ranks: list[int | None]
    points: list[int | None]
    penalties: list[int]

    @property
    def seats(self) -> list[HeldSeat]:
        """Return the seats in order."""
        columns = (self.players, self.counts_for, self.ranks, self.points, self.penalties)
        return list(map(HeldSeat, *columns))


def held_games(ranking_id: int, games: Sequence[int]) -> dict[int, HeldGame]:
    """Return the rows of games in a ranking by game id, without games that it doesn't hold."""
    seat_columns = ("player_id", "counts_for_id", "rank", "points", "penalty")
    seats = ", ".join(
        [f"COALESCE(array_agg({column} ORDER BY seat), '{{}}')" for column in seat_columns]
    )
    rows = sql.rows(
        f"""
        SELECT game_id, {MICROSECONDS.format("played_at")}, natural_id, event, over,
            only_end, voided, seats.*
        FROM league_rankedgame game
        CROSS JOIN LATERAL (
            SELECT {seats}
            FROM league_appearance seat
            WHERE seat.ranking_id = game.ranking_id AND seat.game_id = game.game_id
        ) seats
        WHERE ranking_id = %s AND game_id = ANY(%s)
        """,
        [ranking_id, list(games)],
    )
    return {game: HeldGame(instant(time), *columns) for game, time, *columns in rows}


class ChangedGame(NamedTuple):
    """A finished game of a ranking: its place in the order of play, players and ranks, and for each
    seat the stored rating change; None if none is stored."""

    game: int
    place: Place
    players: list[int]
    ranks: list[int]
    seats: list[list[float]] | None


def changed_games(ranking_id: int, after: Place | None, size: int) -> list[ChangedGame]:
    """Return the next `size` finished games in the order of play, after a place; without one, the
    first games."""
    at, name = after or (None, None)
    rows = sql.rows(
        """
        SELECT game_id, played_at, natural_id, players, ranks,
            (
                SELECT seats
                FROM league_ratingchange change
                WHERE change.ranking_id = game.ranking_id AND change.game_id = game.game_id
            )
        FROM league_rankedgame game
        CROSS JOIN LATERAL (
            SELECT array_agg(player_id ORDER BY seat) AS players,
                array_agg(rank ORDER BY seat) AS ranks
            FROM league_appearance seat
            WHERE seat.ranking_id = game.ranking_id AND seat.game_id = game.game_id
        ) seats
        WHERE ranking_id = %(ranking)s
            AND over
            AND (played_at, natural_id) > (
                COALESCE(%(at)s, '-infinity'::timestamptz), COALESCE(%(name)s, '')
            )
        ORDER BY played_at, natural_id
        LIMIT %(size)s
        """,
        {"ranking": ranking_id, "at": at, "name": name, "size": size},
    )
    return [ChangedGame(game, (at, name), *facts) for game, at, name, *facts in rows]


def has_seat_in(rankings: QuerySet[Any], *player_columns: str) -> Q:
    """Return the condition that a player sat in a game of these rankings, or that a seat counted
    for them. `player_columns`: the columns that may hold the player's id.

    Each case is an `Exists` of its own: for a combined one the database would read all seats of the
    player."""
    seats = Appearance.objects.filter(ranking__in=rankings)
    conditions = []
    for column in player_columns:
        conditions.append(Q(Exists(seats.filter(player=OuterRef(column)))))
        conditions.append(Q(Exists(seats.filter(counts_for=OuterRef(column)))))
    return reduce(or_, conditions)
