"""A game's seats and neighbours, as its page shows them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from games.models import Game
from league.core import sql
from league.standings.ranking.models import Ranking
from league.standings.rating.domain import Rated, RatedByGame

NEIGHBOUR: Final = """
    (
        SELECT near.public_id
        FROM league_rankedgame played
        JOIN games_game near ON near.id = played.game_id
        WHERE played.ranking_id = here.ranking_id
            AND (played.played_at, played.natural_id, played.game_id)
                {side} (here.played_at, here.natural_id, here.game_id)
        ORDER BY played.played_at {way}, played.natural_id {way}, played.game_id {way}
        LIMIT 1
    )
"""
NEIGHBOURS: Final = f"""
    SELECT {NEIGHBOUR.format(side="<", way="DESC")}, {NEIGHBOUR.format(side=">", way="ASC")}
    FROM league_rankedgame here
    WHERE ranking_id = %s AND game_id = %s
"""


@dataclass(frozen=True, slots=True)
class SeatAtTable(Rated, RatedByGame):
    """A seat with its player (None in a game that no season knows).

    `rank` and `points` (of the season's ranking) are None until the game is over and counted, the
    ratings before and after it until it is rated. `penalty`: the points that an arbiter takes off;
    `points` still include them. `counts_for`: the public id of the player whose row it counts in,
    None for a guest's; known once the game is `counted`."""

    number: int
    handle: str
    name: str
    player: str | None
    rank: int | None = None
    points: int | None = None
    mu_before: float | None = None
    sigma_before: float | None = None
    mu: float | None = None
    sigma: float | None = None
    counted: bool = False
    counts_for: str | None = None
    counts_for_handle: str | None = None
    counts_for_name: str | None = None
    penalty: int = 0


def neighbours_of(game: Game, ranking: Ranking) -> tuple[str | None, str | None]:
    """Return the public ids of the games before and after this one in a ranking's order of play;
    None where there is no such game. Both are None if the ranking doesn't count this game. One
    query."""
    return sql.row(NEIGHBOURS, [ranking.pk, game.pk]) or (None, None)


def seats_of(game: Game) -> list[SeatAtTable]:
    """Return the seats in order, counted from 0, with the players whom their handles name now. One
    query."""
    rows = sql.rows(
        """
        SELECT seat.number, player.handle, player.name, player.public_id, held.rank,
            held.points, change.seats[held.seat + 1][1], change.seats[held.seat + 1][2],
            change.seats[held.seat + 1][3], change.seats[held.seat + 1][4],
            held.seat IS NOT NULL, regular.public_id, regular.handle, regular.name,
            COALESCE(held.penalty, 0)
        FROM games_seat seat
        JOIN league_seasongame member ON member.game_id = seat.game_id
        JOIN league_season season ON season.id = member.season_id
        JOIN league_handle named ON named.club_id = season.club_id
            AND lower(named.handle) = lower(seat.handle)
        JOIN league_player found ON found.id = named.player_id
        JOIN league_player player ON player.id = COALESCE(found.merged_into_id, found.id)
        LEFT JOIN league_appearance held ON held.ranking_id = season.ranking_id
            AND held.game_id = seat.game_id
            AND held.seat = seat.number
        LEFT JOIN league_ratingchange change ON change.ranking_id = held.ranking_id
            AND change.game_id = held.game_id
        LEFT JOIN league_player regular ON regular.id = held.counts_for_id
        WHERE seat.game_id = %s
        ORDER BY seat.number
        """,
        [game.pk],
    )
    # The columns are in the order of the fields of `SeatAtTable`.
    return [SeatAtTable(*row) for row in rows]
