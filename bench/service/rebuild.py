"""A rebuild of a large ranking, stage by stage: what a game costs when everything is computed anew."""

from __future__ import annotations

from time import process_time

from bench.service.league import copy_games, new_season
from league.log.services import Actor
from league.models import RankedGame, Ranking
from league.rankings.services import rebuild
from league.rankings.services.counting import ranking_count

COPIES = 199


def measure() -> None:
    """Print the CPU of each stage a game; the database's own isn't in it."""
    season = new_season(28)
    copy_games(season, COPIES, counted=True)
    games = RankedGame.objects.filter(ranking=season.ranking_id).count()
    print(f"\nRebuild of {games:,} games  (CPU of our process, by stage)")
    rebuild.ranking_rebuild_ask(ranking=season.ranking, actor=Actor())
    stages = {"rounds replayed, rows compared": 0.0, "standings added up": 0.0}
    more = True
    while more:
        standings = Ranking.objects.get(pk=season.ranking_id).rebuilt_player is not None
        start = process_time()
        more = rebuild._portion(season.ranking_id)
        stages["standings added up" if standings else "rounds replayed, rows compared"] += process_time() - start
    start = process_time()
    ranking_count(ranking_id=season.ranking_id)
    stages["ratings computed and compared"] = process_time() - start
    for stage, seconds in stages.items():
        print(f"  {stage:<32} {seconds:7.2f} s  {1e6 * seconds / games:8.0f} µs a game", flush=True)
