"""What waits to be counted."""

from __future__ import annotations

from django.db import connection

from league.rankings.queries.facts import GAMES


def rankings_waiting() -> list[tuple[int, bool]]:
    """Rankings with work to do, by id, and whether it is a rebuild: entries of games that they haven't read, ratings to
    be computed again, or entries set aside that are due."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT ranking.id, ranking.rebuilt_to IS NOT NULL FROM league_ranking ranking"
            " LEFT JOIN league_reader reader"
            " ON reader.club_id = ranking.club_id AND reader.name = 'count/' || ranking.public_id"
            " WHERE ranking.rebuilt_to IS NOT NULL OR ranking.rated AND ranking.rated_from IS NOT NULL"
            " OR EXISTS (SELECT 1 FROM league_logentry entry WHERE entry.club_id = ranking.club_id"
            "  AND entry.position > COALESCE(reader.position, 0) AND entry.action = ANY(%s))"
            " OR EXISTS (SELECT 1 FROM league_setaside aside WHERE aside.club_id = ranking.club_id"
            "  AND aside.reader = 'count/' || ranking.public_id AND aside.due_at <= now())"
            " ORDER BY ranking.id",
            [GAMES],
        )
        return [(ranking_id, rebuilding) for ranking_id, rebuilding in cursor.fetchall()]


def styles_waiting() -> list[int]:
    """Rankings whose reader of styles has entries of games before it, by id."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT ranking.id FROM league_ranking ranking"
            " LEFT JOIN league_reader reader"
            " ON reader.club_id = ranking.club_id AND reader.name = 'style/' || ranking.public_id"
            " WHERE EXISTS (SELECT 1 FROM league_logentry entry WHERE entry.club_id = ranking.club_id"
            "  AND entry.position > COALESCE(reader.position, 0) AND entry.action = ANY(%s)) ORDER BY ranking.id",
            [GAMES],
        )
        return [ranking_id for (ranking_id,) in cursor.fetchall()]
