"""A rebuild of a ranking whose games are the demo's, stage by stage, and a late game, after which
all later ratings are computed again: with ever more games.

The demo's games tell their rounds at every level of detail, half of them with lay-outs; one in ten
is interrupted. Beside what a game costs, in our process and in the database's, stands what the
package openskill takes to rate it, which is all that it does."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from datetime import timedelta
from io import BytesIO
from statistics import median
from time import process_time
from typing import Final

from django.conf import settings
from django.db import connection

from bench.games import SEASON, interrupted, season
from bench.ratings import Game, best_first, rate_theirs
from bench.service.cost import WorkCost, cost
from bench.service.league import copy_games, empty_season
from engine.record.write import write
from league.core.log.services import Actor
from league.models import Player, RankedGame, Ranking, Season
from league.records.file.services import file_import, record_import
from league.standings.ranking.services import rebuild
from league.standings.ranking.services.counting import ranking_count
from league.up.preload import settle
from league.up.roles import connected_as
from tests.factories.records import bluff_record, line

COPIES: Final = (0, 9, 9)
"""How often all games that are there are copied, one size after the other."""
LATE_GAMES: Final = 3
STAGES: Final = (
    "rounds replayed, rows compared",
    "standings added up",
    "ratings computed and compared",
)


def measure() -> None:
    """Print the CPU of each stage a game, and of a late game, at three sizes."""
    settle()  # as the service's processes are before they work
    played = _demo_season()
    for copies in COPIES:
        if copies:
            copy_games(played, copies, counted=True)
            _rebuild(
                played
            )  # standings and ratings of the copies are written before anything is measured
        _vacuum()
        _print(played)


def _demo_season() -> Season:
    """A season with the demo's games, a ninth of them interrupted besides, all counted."""
    games = season()
    records = [*games, *interrupted(games[::9])]
    played = empty_season(SEASON)
    report = file_import(stream=BytesIO("\n".join(map(write, records)).encode()), season=played)
    assert report.created == len(records), report.as_json()
    ranking_count(ranking_id=played.ranking_id)
    return played


def _print(played: Season) -> None:
    games = RankedGame.objects.filter(ranking=played.ranking_id, over=True).count()
    stages = _rebuild(played)
    late = _late_game(played)
    theirs = _openskill(played)
    print(
        f"\nRebuild of {games:,} games of the demo  (CPU a game, and openskill's time to rate "
        "it as 1)"
    )
    whole = WorkCost(sum(stage.python for stage in stages), sum(stage.database for stage in stages))
    for name, spent in (
        *zip(STAGES, stages, strict=True),
        ("the whole rebuild", whole),
        ("a late game before all", late),
    ):
        ours, database = 1000 * spent.python / games, 1000 * spent.database / games
        share = f"   {spent.cpu / whole.cpu:5.2f} of the rebuild" if spent is late else ""
        print(
            f"  {name:<32} {ours:7.0f} µs {ours / theirs:6.1f}×, with the database "
            f"{ours + database:7.0f} µs"
            f" {(ours + database) / theirs:6.1f}×{share}",
            flush=True,
        )
    print(f"  {'openskill, ratings alone':<32} {theirs:7.0f} µs", flush=True)


def _rebuild(played: Season) -> tuple[WorkCost, WorkCost, WorkCost]:
    """What each stage of a rebuild costs."""
    rebuild.ranking_rebuild_ask(ranking=played.ranking, actor=Actor())
    replay, standings = WorkCost(), WorkCost()
    more = True
    while more:
        stage = (
            replay
            if Ranking.objects.get(pk=played.ranking_id).rebuilt_player is None
            else standings
        )
        with cost() as spent:
            more = rebuild._batch(played.ranking_id)
        stage.python += spent.python
        stage.database += spent.database
    with cost() as ratings:
        ranking_count(ranking_id=played.ranking_id)
    return replay, standings, ratings


def _late_game(played: Season) -> WorkCost:
    """What it costs to count a game that was played before all others; the median of some."""
    handles = list(
        Player.objects.filter(club=played.club).order_by("pk").values_list("handle", flat=True)[:4]
    )
    costs = []
    for _ in range(LATE_GAMES):
        first = RankedGame.objects.filter(ranking=played.ranking_id).order_by("played_at").first()
        assert first is not None
        time = first.played_at - timedelta(days=1)
        record = bluff_record(seats=handles, id=f"late-{time:%Y-%m-%d}", played_at=time.isoformat())
        imported = record_import(season=played, line=line(record))
        assert imported.error is None, imported.error
        with cost() as spent:
            ranking_count(ranking_id=played.ranking_id)
        costs.append(spent)
    return sorted(costs, key=lambda each: each.cpu)[LATE_GAMES // 2]


def _openskill(played: Season) -> float:
    """Microseconds that openskill takes to rate a game of these."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT array_agg(player_id), array_agg(rank) FROM league_appearance JOIN "
            "league_rankedgame game"
            " USING (ranking_id, game_id) WHERE ranking_id = %s AND over"
            " GROUP BY game_id, played_at, natural_id ORDER BY played_at, natural_id",
            [played.ranking_id],
        )
        games: Sequence[Game] = cursor.fetchall()
    theirs = [best_first(game) for game in games]
    turns = []
    for _ in range(3):
        gc.collect()
        start = process_time()
        rate_theirs(theirs)
        turns.append(process_time() - start)
    return 1e6 * median(turns) / len(games)


def _vacuum() -> None:
    """Do at once what the database does by itself within minutes after so many new rows."""
    with connected_as(settings.DATABASE_OWNER_URL), connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
