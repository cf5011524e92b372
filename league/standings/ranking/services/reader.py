"""All that the readers of a ranking, that of its games and that of its styles, do alike."""

from __future__ import annotations

from league.core.log.readers import reader_advance, reader_set_aside
from league.standings.ranking.queries.source import portion
from league.standings.ranking.queries.state import RankingState


def next_set_aside(state: RankingState, error: Exception) -> bool:
    """Pass over the next game, which broke the portion that it was alone in; False: there was none."""
    part = portion(club_id=state.club_id, ranking_id=state.ranking_id, after=state.position, until=state.head, size=1)
    for game in part.games:
        reader_set_aside(state.club_id, state.reader, game.position, error)
    reader_advance(state.club_id, state.reader, part.position)
    return bool(part.games)
