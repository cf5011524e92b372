"""What a rank was after each day of play."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from typing import Any, TypeAlias

from django.db import connection

from engine.scoring.standings import SortKey, sort_key
from engine.scoring.tally import Tally
from league.rankings.models import Ranking
from league.rankings.queries.facts import UNTIMED

Gained: TypeAlias = tuple[date | None, list[tuple[str, Tally]]]
"""A day, None for games without a time, with what it brought to whom: players by their public ids."""


@dataclass(frozen=True, slots=True)
class RankDay:
    """Where a player stood after a day of play; `day` is None for games without a time, which come last.

    `games`: those of the player on that day. `total`: the player's tally with it. `before`: the rank after the day
    before, None on the player's first. `players`: how many were ranked.
    """

    day: date | None
    games: int
    total: Tally
    rank: int
    before: int | None
    players: int

    @property
    def climbed(self) -> int | None:
        """Places won since the day before, negative for lost ones; None on the player's first day."""
        return None if self.before is None else self.before - self.rank


def rank_days(ranking: Ranking, player: str, timezone: str) -> list[RankDay]:
    """The player's rank after every day on which anybody played, from the player's first on; days are those of the time
    zone. The player is given by the public id; who has no game in the ranking has no days.

    Ranks depend on everybody's games, so this reads a row for each player and day of the ranking, in one query.
    """
    totals: defaultdict[str, Tally] = defaultdict(Tally)
    keys: dict[str, SortKey] = {}
    days: list[RankDay] = []
    for day, gained in _gained(ranking.pk, timezone):
        for who, tally in gained:
            totals[who] += tally
            keys[who] = sort_key(totals[who], ranking.order)
        if player not in keys:
            continue
        rank = 1 + sum(key > keys[player] for key in keys.values())
        games = dict(gained).get(player, Tally()).games
        days.append(RankDay(day, games, totals[player], rank, days[-1].rank if days else None, len(keys)))
    return days


def _gained(ranking_id: int, timezone: str) -> Iterator[Gained]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT day, player.public_id, games, wins, points, rank_sum, best FROM ("
            " SELECT player_id, count(*) AS games, count(*) FILTER (WHERE rank = 1) AS wins, sum(points) AS points,"
            "  sum(rank) AS rank_sum, max(points) AS best,"
            "  CASE WHEN played_at < %(untimed)s THEN (played_at AT TIME ZONE %(zone)s)::date END AS day"
            " FROM league_appearance JOIN league_rankedgame USING (ranking_id, game_id)"
            " WHERE ranking_id = %(ranking)s AND over GROUP BY day, player_id"
            ") gained JOIN league_player player ON player.id = player_id ORDER BY day NULLS LAST",
            {"ranking": ranking_id, "zone": timezone, "untimed": UNTIMED},
        )
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    for day, gained in groupby(rows, key=lambda row: row[0]):
        yield day, [(who, Tally(*tally)) for _, who, *tally in gained]
