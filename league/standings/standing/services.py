"""Writing the rows of a ranking, and only those of players whose games came or went."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date
from functools import cache
from typing import Any, Final, NamedTuple

from engine.rating.rating import Rating as Belief
from engine.scoring.dated_tally import DatedTally
from engine.scoring.standings import sort_key
from engine.scoring.tally import Tally, tally_of_games
from league.core import sql
from league.standings.ranked_game.domain.game import MICROSECONDS, instant
from league.standings.ranking.queries.state import RankingState
from league.standings.standing.models import Standing

Tallies = dict[int, DatedTally]
"""Rows of a ranking by player id."""

FIGURES: Final = ("games", "wins", "points", "rank_sum", "best")
COLUMNS: Final = ("public_id", *FIGURES, "key", "day", "before", "key_before")


class HeldPlayer(NamedTuple):
    """A player as a ranking holds them: the row and the rating, None if there is none, and mu after
    the latest games."""

    public_id: str
    row: DatedTally | None
    belief: Belief | None
    recent: Sequence[float]


def held_players(ranking_id: int, players: Collection[int]) -> dict[int, HeldPlayer]:
    """Return these players as the ranking holds them, by row id. One query."""
    rows = sql.rows(
        f"""
        SELECT player.id, player.public_id, mu, sigma, recent, day, before, {", ".join(FIGURES)}
        FROM league_player player
        LEFT JOIN league_standing standing ON standing.ranking_id = %s
            AND standing.player_id = player.id
        LEFT JOIN league_rating rating ON rating.ranking_id = %s
            AND rating.player_id = player.id
        WHERE player.id = ANY(%s)
        """,
        [ranking_id, ranking_id, list(players)],
    )
    held = {}
    for player, public_id, mu, sigma, recent, day, before, *figures in rows:
        row = DatedTally(Tally(*figures), Tally(*before), day) if before else None
        belief = Belief(mu, sigma) if recent else None
        held[player] = HeldPlayer(public_id, row, belief, recent or ())
    return held


def counted_rows(
    state: RankingState, players: Collection[int], *, games_left_out: Collection[int] = ()
) -> Tallies:
    """Return the rows of these players, added up from the seats that count for them. Leave out
    seats in some games (`games_left_out`, by ids)."""
    seats = sql.rows(
        f"""
        SELECT counts_for_id, {MICROSECONDS.format("played_at")}, rank, points, penalty
        FROM league_appearance appearance
        JOIN league_rankedgame game USING (ranking_id, game_id)
        WHERE ranking_id = %s AND counts_for_id = ANY(%s) AND over AND NOT game_id = ANY(%s)
        """,
        [state.ranking_id, list(players), list(games_left_out)],
    )
    day_of = cache(lambda time: state.day_of(instant(time)))
    # The ranks, points and penalties of each player's games, day by day.
    by_day: defaultdict[tuple[int, date | None], tuple[list[int], list[int], list[int]]]
    by_day = defaultdict(lambda: ([], [], []))
    for player, time, rank, points, penalty in seats:
        day_ranks, day_points, day_penalties = by_day[player, day_of(time)]
        day_ranks.append(rank)
        day_points.append(points)
        day_penalties.append(penalty)
    rows: Tallies = {}
    for (player, day), (day_ranks, day_points, day_penalties) in by_day.items():
        tally = tally_of_games(day_ranks, day_points, sum(day_penalties))
        rows[player] = rows.get(player, DatedTally()).add(day, tally)
    return rows


def rows_write(
    state: RankingState,
    rows: Tallies,
    public_ids: Mapping[int, str],
    *,
    removed_players: Iterable[int] = (),
) -> int:
    """Store rows by player id, and delete those of `removed_players`; return the number of rows that
    changed."""
    removed = list(removed_players)
    changed = 0
    if removed:
        removed_rows = Standing.objects.filter(ranking=state.ranking_id, player__in=removed)
        changed, _ = removed_rows.delete()
    columns_by_player = {
        player: columns(state, public_ids[player], row) for player, row in rows.items()
    }
    return changed + players_store("league_standing", state.ranking_id, COLUMNS, columns_by_player)


def columns(state: RankingState, public_id: str, row: DatedTally) -> tuple[Any, ...]:
    """Return the values of `COLUMNS` for a player's row."""
    before = _figures(row.before)
    key_before = list(sort_key(row.before, state.order)) if row.before.games else None
    return (
        public_id,
        *_figures(row.total),
        list(sort_key(row.total, state.order)),
        row.day,
        before,
        key_before,
    )


def _figures(tally: Tally) -> list[int]:
    return [tally.games, tally.wins, tally.points, tally.rank_sum, tally.best]


def players_store(
    table: str, ranking_id: int, columns: Sequence[str], rows: Mapping[int, Sequence[object]]
) -> int:
    """Store rows by player id, each with the values of these columns; return the number of rows that
    are new or changed.

    The rows are sent as JSON, which allows lists and keeps a float exact to the last bit."""
    if not rows:
        return 0
    records = [
        {"ranking_id": ranking_id, "player_id": player, **dict(zip(columns, row, strict=True))}
        for player, row in rows.items()
    ]
    stored_values = ", ".join([f"{table}.{column}" for column in columns])
    new_values = ", ".join([f"excluded.{column}" for column in columns])
    return sql.execute(
        f"""
        INSERT INTO {table}
        SELECT *
        FROM json_populate_recordset(NULL::{table}, %s::json)
        ON CONFLICT (ranking_id, player_id)
        DO UPDATE SET ({", ".join(columns)}) = ROW ({new_values})
        WHERE ({stored_values}) IS DISTINCT FROM ({new_values})
        """,
        [json.dumps(records, default=str)],
    )
