"""Work that waits for rankings, and how far the jobs are with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from league.core import sql
from league.standings.ranking.models import Ranking
from league.standings.ranking.queries.source import ENTRIES, GAMES


def rankings_waiting(ranking_id: int | None = None) -> list[tuple[int, bool]]:
    """Return the ids of rankings for which work waits, each with whether that is a rebuild. Other
    work is unread entries of games, outdated ratings, and set-aside entries that are due. With
    `ranking_id`, look at this ranking only."""
    rows = sql.rows(
        """
        SELECT ranking.id, ranking.rebuilt_to IS NOT NULL
        FROM league_ranking ranking
        JOIN league_loghead head ON head.club_id = ranking.club_id
        LEFT JOIN league_reader reader ON reader.club_id = ranking.club_id
            AND reader.name = 'count/' || ranking.public_id
        WHERE ranking.id = COALESCE(%s, ranking.id)
            AND (
                ranking.rebuilt_to IS NOT NULL
                OR ranking.rated AND ranking.rated_from IS NOT NULL
                OR EXISTS (
                    SELECT 1
                    FROM league_logentry entry
                    WHERE entry.club_id = ranking.club_id
                        AND entry.position > COALESCE(reader.position, 0)
                        AND entry.position <= head.position
                        AND entry.action = ANY(%s)
                )
                OR EXISTS (
                    SELECT 1
                    FROM league_setaside aside
                    WHERE aside.club_id = ranking.club_id
                        AND aside.reader = 'count/' || ranking.public_id
                        AND aside.due_at <= now()
                )
            )
        ORDER BY ranking.id
        """,
        [ranking_id, GAMES],
    )
    return [(waiting_id, is_rebuilding) for waiting_id, is_rebuilding in rows]


def styles_waiting(ranking_id: int | None = None) -> list[int]:
    """Return the ids of rankings whose reader of styles has unread entries of games, or set-aside
    entries that are due. With `ranking_id`, look at this ranking only."""
    rows = sql.rows(
        """
        SELECT ranking.id
        FROM league_ranking ranking
        JOIN league_loghead head ON head.club_id = ranking.club_id
        LEFT JOIN league_reader reader ON reader.club_id = ranking.club_id
            AND reader.name = 'style/' || ranking.public_id
        WHERE ranking.id = COALESCE(%s, ranking.id)
            AND (
                EXISTS (
                    SELECT 1
                    FROM league_logentry entry
                    WHERE entry.club_id = ranking.club_id
                        AND entry.position > COALESCE(reader.position, 0)
                        AND entry.position <= head.position
                        AND entry.action = ANY(%s)
                )
                OR EXISTS (
                    SELECT 1
                    FROM league_setaside aside
                    WHERE aside.club_id = ranking.club_id
                        AND aside.reader = 'style/' || ranking.public_id
                        AND aside.due_at <= now()
                )
            )
        ORDER BY ranking.id
        """,
        [ranking_id, GAMES],
    )
    return [waiting_id for (waiting_id,) in rows]


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the jobs are with a ranking: `done` of `total`.

    `rebuild` counts positions in the club's log, `count` games, and `rate` games whose ratings are
    computed again."""

    work: Literal["rebuild", "count", "rate"]
    done: int
    total: int

    @property
    def share(self) -> float:
        """Return the share that is done, from 0 to 1."""
        return self.done / self.total if self.total else 0.0


FIGURES: Final = f"""
    SELECT COALESCE(reader.position, 0),
        (
            SELECT count(*) {ENTRIES} AND entry.position > COALESCE(reader.position, 0)
        ),
        (
            SELECT count(*)
            FROM league_rankedgame held
            WHERE held.ranking_id = ranking.id
                AND held.over
                AND (held.played_at, held.natural_id) < (
                    ranking.rated_from, ranking.rated_from_id
                )
        )
    FROM league_ranking ranking
    LEFT JOIN league_reader reader ON reader.club_id = ranking.club_id
        AND reader.name = 'count/' || ranking.public_id
    WHERE ranking.id = %(ranking)s
"""


def progress_of(ranking: Ranking) -> Progress | None:
    """Return how far the jobs are with a ranking's next piece of work; None if nothing waits. One
    query."""
    position, waiting, rated = sql.row(
        FIGURES, {"ranking": ranking.pk, "club": ranking.club_id, "actions": GAMES}
    )
    if ranking.rebuilt_to is not None:
        return Progress("rebuild", ranking.rebuilt_to, position)
    if waiting:
        return Progress("count", ranking.game_count, ranking.game_count + waiting)
    if ranking.rated and ranking.rated_from is not None:
        return Progress("rate", rated, ranking.game_count)
    return None
