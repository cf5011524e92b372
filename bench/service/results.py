"""What it costs to count one result: a game of four that is sealed already, until its ranking shows
it.

Once with ever more players in the ranking, and once with ever more games in it and in the database.
A result like the one before it stands beside the first of a day of play, beside a late one in
mid-season, and beside such a one in a ranking with ratings, which are computed again from there on.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db import connection

from bench.service.cost import WorkCost, cost, middle
from bench.service.league import copy_games, dice, new_season, play
from league.models import RankedGame, Ranking, Season
from league.standings.ranking.services.counting import ranking_count
from league.up.roles import connected_as


@dataclass(frozen=True, slots=True)
class Result:
    """A kind of result: what a ranking's last game and its middle one give as its time, whether the
    ranking is rated meanwhile, and of how many the median is taken."""

    title: str
    time: Callable[[datetime, datetime], datetime]
    rated: bool
    count: int


RESULTS: Final = (
    Result("", lambda last, middle: last + timedelta(seconds=1), True, 60),
    Result("  first of a day", lambda last, middle: last + timedelta(days=1), True, 20),
    Result("  without ratings", lambda last, middle: last + timedelta(seconds=1), False, 20),
    Result("  … late", lambda last, middle: middle + timedelta(seconds=1), False, 20),
    Result("  late, rated again", lambda last, middle: middle + timedelta(seconds=1), True, 3),
)


def measure() -> None:
    """Print the cost of each kind of result for each size."""
    print("\nCounting one result  (medians; ratios to the first row of its kind)")
    print(f"  {'':<24} {'CPU':>10}  {'of it database':>14}  {'queries':>7}  {'rows':>5}")
    first: dict[str, WorkCost] = {}
    for players in (28, 500, 5_000):
        season = new_season(players)
        _analyse()
        _print(f"{players:,} players", season, players, first)
    season = new_season(28)
    for games, copies in ((100, 0), (10_000, 99), (100_000, 9)):
        if copies:
            copy_games(season, copies, counted=True)
        _print(f"{games:,} games", season, 28, first)


def _analyse() -> None:
    """Do at once what the database does by itself within minutes after so many new rows."""
    with connected_as(settings.DATABASE_OWNER_URL), connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")


def _print(size: str, season: Season, players: int, first: dict[str, WorkCost]) -> None:
    for result in RESULTS:
        found = one_result(season, players, result)
        ratio = found.cpu / first.setdefault(result.title, found).cpu
        cpu = f"{found.cpu:7.2f} ms  {found.database:11.2f} ms"
        figures = f"{cpu}  {found.queries:>7.0f}  {found.rows:>5.0f}   {ratio:.2f}×"
        print(f"  {result.title or size:<24} {figures}", flush=True)


def one_result(season: Season, players: int, result: Result) -> WorkCost:
    """What it costs to count one more game of four who are drawn from among so many players.

    The first one isn't measured: it may be the first of its day, finds nothing in memory, and with
    it all are rated that were counted without ratings."""
    ranking = Ranking.objects.get(pk=season.ranking_id)
    games = RankedGame.objects.filter(ranking=ranking).order_by("played_at", "natural_id")
    times = games.values_list("played_at", flat=True)
    middle_time = times[games.count() // 2]
    if result.rated and not ranking.rated:
        ranking.rated_from = middle_time
    ranking.rated = result.rated
    ranking.save(update_fields=["rated", "rated_from"])
    costs = []
    for _ in range(1 + result.count):
        last = times.reverse()[0]
        play(season, dice.sample(range(players), 4), result.time(last, middle_time))
        with cost() as found:
            ranking_count(ranking_id=season.ranking_id)
        costs.append(found)
    return middle(costs[1:])
