"""The handles that games of a ranking were entered with, and whose they are now."""

from __future__ import annotations

from django.db import connection

from league.rankings.models import Ranking


def handles_entered(ranking: Ranking) -> list[tuple[str, str]]:
    """Each handle in the counted records of a ranking that isn't its player's today, with the one that is; one query.

    A player who was renamed or merged with another has such handles, and one whom somebody wrote with other capitals.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT DISTINCT seat.handle, player.handle FROM league_appearance held"
            " JOIN games_seat seat ON seat.game_id = held.game_id AND seat.number = held.seat"
            " JOIN league_player player ON player.id = held.player_id"
            " WHERE held.ranking_id = %s AND seat.handle <> player.handle ORDER BY 1",
            [ranking.pk],
        )
        entered: list[tuple[str, str]] = cursor.fetchall()
        return entered
