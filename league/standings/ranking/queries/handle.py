"""How a ranking's records name players, which seats count for other players, and which are
adjusted."""

from __future__ import annotations

from collections.abc import Iterator

from league.core import sql
from league.standings.adjustment.queries import ORDER
from league.standings.ranking.models import Ranking


def handles_entered(ranking: Ranking) -> Iterator[list[tuple[str, str, str]]]:
    """Yield each handle in the counted records of a ranking with its player's current handle and
    public id, in portions; likewise the current handle of each player with a row. One query; its
    work grows with the number of seats.

    A player has several handles after a rename or a merge, or if records write the handle with
    other capitals."""
    return sql.row_portions(
        """
        SELECT entered.handle COLLATE "C", player.handle, player.public_id
        FROM (
            SELECT DISTINCT seat.handle, held.player_id
            FROM league_appearance held
            JOIN games_seat seat ON seat.game_id = held.game_id AND seat.number = held.seat
            WHERE held.ranking_id = %(ranking)s
        ) entered
        JOIN league_player player ON player.id = entered.player_id
        UNION
        SELECT player.handle, player.handle, player.public_id
        FROM league_standing row
        JOIN league_player player ON player.id = row.player_id
        WHERE row.ranking_id = %(ranking)s
        ORDER BY 1
        """,
        {"ranking": ranking.pk},
    )


def seats_counting(ranking: Ranking) -> Iterator[list[tuple[str, int, str]]]:
    """Yield the seats that count for another player than the one who sat there, in portions: the
    record's id, the seat's number from 1, and the current handle of the player it counts for, empty
    for a guest. One query."""
    return sql.row_portions(
        """
        SELECT game.external_id, held.seat + 1, COALESCE(player.handle, '')
        FROM league_appearance held
        JOIN games_game game ON game.id = held.game_id
        JOIN league_rankedgame place ON place.ranking_id = held.ranking_id
            AND place.game_id = held.game_id
        LEFT JOIN league_player player ON player.id = held.counts_for_id
        WHERE held.ranking_id = %s
            AND (held.counts_for_id IS NULL OR held.counts_for_id <> held.player_id)
        ORDER BY place.played_at, place.natural_id, held.seat
        """,
        [ranking.pk],
    )


def seats_adjusted(ranking: Ranking) -> Iterator[list[tuple[str, int, int | None, int | None]]]:
    """Yield the seats that arbiters adjusted in a ranking's games, in portions: the record's id,
    the seat's number from 1, its rank in the order that was set (None: no order was set), and the
    points it loses (None: none). One query."""
    return sql.row_portions(
        f"""
        SELECT game.external_id, held.seat + 1,
            CASE WHEN adjusted.ordered THEN held.rank END, NULLIF(held.penalty, 0)
        FROM (
            SELECT game_id, bool_or(ordered) AS ordered
            FROM (
                SELECT DISTINCT game_id,
                    {ORDER.format(game="setting.game_id")} IS NOT NULL AS ordered
                FROM league_setorder setting
                UNION
                SELECT DISTINCT game_id, false
                FROM league_penalty
            ) adjusting
            GROUP BY game_id
        ) adjusted
        JOIN league_rankedgame place ON place.game_id = adjusted.game_id
            AND place.ranking_id = %s
            AND place.over
        JOIN league_appearance held ON held.ranking_id = place.ranking_id
            AND held.game_id = place.game_id
        JOIN games_game game ON game.id = held.game_id
        WHERE adjusted.ordered OR held.penalty > 0
        ORDER BY place.played_at, place.natural_id, held.seat
        """,
        [ranking.pk],
    )
