"""Rating games again that were rated before a shared place counted as the mean of its orders."""

from __future__ import annotations

from typing import Final

from league.core import sql
from league.core.jobs import call_on_commit
from league.core.locks import Space, transaction_lock_patient
from league.core.log.services import club_journal
from league.standings.ranked_game.domain.game import Place
from league.standings.ranking.actions import RankingAction
from league.standings.ranking.models import Ranking
from league.standings.ranking.queries.state import ranking_state

WAIT: Final = "60s"
"""A job holds a ranking for one batch, which takes a few seconds."""


def ties_average() -> None:
    """Have each older ranking rated again once, from its first game with a shared place on, and log
    the reason. Running this again changes nothing.

    Raise `Busy` if a job holds a ranking for longer than `WAIT`; the rankings before it are
    done."""
    for ranking in Ranking.objects.filter(ties_averaged=False).order_by("pk"):
        _rate_again_from_first_tie(ranking)


def _rate_again_from_first_tie(ranking: Ranking) -> None:
    with club_journal(ranking.club_id) as journal:
        transaction_lock_patient(Space.RANKING, ranking.pk, wait=WAIT)
        rankings = Ranking.objects.filter(pk=ranking.pk, ties_averaged=False)
        if not rankings.update(ties_averaged=True) or not ranking.rated:
            return
        first = _first_game_with_tie(ranking.pk)
        if first is None:
            return
        outdated_from = ranking_state(ranking.pk).rated_from
        rated_from, rated_from_id = min(first, outdated_from or first)
        Ranking.objects.filter(pk=ranking.pk).update(
            rated_from=rated_from, rated_from_id=rated_from_id
        )
        call_on_commit("standings.ranking.tasks.count_backlog", ranking.pk)
        journal.add(RankingAction.RERATED, ranking.public_id)


def _first_game_with_tie(ranking_id: int) -> Place | None:
    place: Place | None = sql.row(
        """
        SELECT played_at, natural_id
        FROM league_rankedgame game
        WHERE ranking_id = %s
            AND over
            AND EXISTS (
                SELECT
                FROM league_appearance seat
                JOIN league_appearance other USING (ranking_id, game_id, rank)
                WHERE ranking_id = game.ranking_id
                    AND game_id = game.game_id
                    AND seat.seat < other.seat
            )
        ORDER BY played_at, natural_id
        LIMIT 1
        """,
        [ranking_id],
    )
    return place
