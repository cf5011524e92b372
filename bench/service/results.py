"""What it costs to count one result: a game of four that is sealed already, until its ranking shows it.

Once with ever more players in the ranking, and once with ever more games in it and in the database.
"""

from __future__ import annotations

from bench.service.cost import WorkCost, cost, middle
from bench.service.league import copy_games, dice, new_season, play
from league.models import Season
from league.rankings.services.counting import ranking_count

RESULTS = 60


def measure() -> None:
    """Print the cost of one result for each size."""
    print(f"\nCounting one result  (median of {RESULTS}; ratios to the first row)")
    print(f"  {'':<24} {'CPU':>9}  {'of it database':>14}  {'queries':>7}  {'rows':>5}")
    first = None
    for players in (28, 500, 5_000):
        season = new_season(players)
        found = one_result(season, players)
        first = first or found
        _print(f"{players:,} players", found, first)
    season = new_season(28)
    for games, copies in ((100, 0), (10_000, 99), (100_000, 9)):
        if copies:
            copy_games(season, copies, counted=True)
        _print(f"{games:,} games", one_result(season, 28), first)


def one_result(season: Season, players: int) -> WorkCost:
    """What it costs to count one more game of four who are drawn from among so many players."""
    costs = []
    for _ in range(RESULTS):
        play(season, dice.sample(range(players), 4))
        with cost() as found:
            ranking_count(ranking_id=season.ranking_id)
        costs.append(found)
    return middle(costs)


def _print(size: str, found: WorkCost, first: WorkCost) -> None:
    cpu = f"{found.cpu:6.2f} ms  {found.database:11.2f} ms"
    print(f"  {size:<24} {cpu}  {found.queries:>7}  {found.rows:>5}   {found.cpu / first.cpu:.2f}×", flush=True)
