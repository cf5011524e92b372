"""Storing the ranks after each day of play that is over, in portions, from the first day on that a change concerns.

They rest on everybody's games, so no page computes them: a day is stored once, when the next one begins. A late or
corrected game has the days from its own on stored again.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from typing import Final, NamedTuple

from django.db import connection

from engine.record.shape import YEARS
from engine.scoring.standings import Criterion, table
from engine.scoring.tally import Tally
from league.rankings.domain.game import UNTIMED
from league.rankings.queries.state import RankingState

PORTION: Final = 10_000
"""Rows after which a transaction ends, with the day that it is at."""
EVER: Final = date(YEARS.start, 1, 2)
"""No game is played before this day, wherever the club is."""

Gained = Mapping[int, Tally]
"""What a day, or the time before, brought to whom: players by id."""


class DayRow(NamedTuple):
    """A player's place after a day, as `DayRank` has it."""

    player: int
    day: date
    games: int
    points: int
    rank: int
    players: int


def days_concern(state: RankingState, days: Iterable[date | None], last_day: date | None) -> None:
    """Note from which day on ranks have to be stored again, after games of these days came or went; `last_day` was the
    ranking's last day until then.

    Games without a time count from the first day on. The ranks after the last day are never stored, and are once
    another day is the last one.
    """
    if last_day is None and state.last_day is None:
        return
    stale = [day or EVER for day in days if day != state.last_day]
    if last_day and last_day != state.last_day:
        stale.append(min(last_day, state.last_day or EVER))
    if stale:
        state.days_from = min(stale if state.days_from is None else [*stale, state.days_from])


def days_portion(state: RankingState) -> bool:
    """Store the ranks after the next days from `state.days_from` on, and set it to the first one that is left, or None;
    whether any row was another."""
    assert state.days_from is not None
    first, following = state.days_from, None
    rows: list[DayRow] = []
    before, gained = _gained(state, first)
    for day, ranked in ranks_after(before, gained, state.order):
        if len(rows) >= PORTION:
            following = day
            break
        rows += ranked
    state.days_from = following
    return _store(state.ranking_id, first, following, rows)


def ranks_after(
    before: Gained, gained: Mapping[date, Gained], order: Sequence[Criterion]
) -> Iterator[tuple[date, list[DayRow]]]:
    """The places of all after each of the days, in their order; `before` is what was brought home before the first."""
    totals = dict(before)
    for day, gains in sorted(gained.items()):
        for player, tally in gains.items():
            totals[player] = totals.get(player, Tally()) + tally
        rows = table(totals, order)
        games = {player: tally.games for player, tally in gains.items()}
        yield (
            day,
            [
                DayRow(row.player, day, games.get(row.player, 0), row.tally.points, row.rank, players=len(rows))
                for row in rows
            ],
        )


def _gained(state: RankingState, first: date) -> tuple[Gained, Mapping[date, Gained]]:
    """Return what games brought to whom: before the first day, those without a time among them, and on each day from it
    on, the last one apart."""
    before: defaultdict[int, Tally] = defaultdict(Tally)
    gained: defaultdict[date, defaultdict[int, Tally]] = defaultdict(lambda: defaultdict(Tally))
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT played_at, counts_for_id, count(*), count(*) FILTER (WHERE rank = 1), sum(points), sum(rank),"
            " max(points) FROM ("
            " SELECT CASE WHEN played_at >= %(from)s AND played_at < %(untimed)s THEN played_at END AS played_at,"
            "  counts_for_id, rank, points"
            "  FROM league_appearance JOIN league_rankedgame USING (ranking_id, game_id)"
            "  WHERE ranking_id = %(ranking)s AND over AND counts_for_id IS NOT NULL"
            ") seat GROUP BY played_at, counts_for_id",
            {
                "ranking": state.ranking_id,
                "from": datetime.combine(first, time(), state.zone) - timedelta(days=1),
                "untimed": UNTIMED,
            },
        )
        for played_at, player, *figures in cursor:
            day = played_at and state.day_of(played_at)
            if day is None or day < first:
                before[player] += Tally(*figures)
            elif day != state.last_day:
                gained[day][player] += Tally(*figures)
    return before, gained


STORE: Final = """
    WITH wanted AS (
        SELECT * FROM json_populate_recordset(NULL::league_dayrank, %(rows)s::json)
    ), gone AS (
        DELETE FROM league_dayrank held
        WHERE ranking_id = %(ranking)s AND day >= %(first)s AND (day < %(following)s OR %(following)s::date IS NULL)
            AND NOT EXISTS (SELECT FROM wanted WHERE wanted.player_id = held.player_id AND wanted.day = held.day)
        RETURNING 1
    ), stored AS (
        INSERT INTO league_dayrank AS held SELECT * FROM wanted
        ON CONFLICT (ranking_id, player_id, day) DO UPDATE SET (games, points, rank, players)
            = (excluded.games, excluded.points, excluded.rank, excluded.players)
        WHERE (held.games, held.points, held.rank, held.players)
            <> (excluded.games, excluded.points, excluded.rank, excluded.players)
        RETURNING 1
    )
    SELECT EXISTS (SELECT FROM gone) OR EXISTS (SELECT FROM stored)
"""


def _store(ranking_id: int, first: date, following: date | None, rows: Sequence[DayRow]) -> bool:
    """Make the stored rows of the days from `first` up to `following`, which isn't one of them, these; whether any was
    another."""
    records = [{"ranking_id": ranking_id, "player_id": row.player, **row._asdict()} for row in rows]
    rows_json = json.dumps(records, default=str)
    with connection.cursor() as cursor:
        cursor.execute(STORE, {"ranking": ranking_id, "first": first, "following": following, "rows": rows_json})
        return bool(cursor.fetchone()[0])
