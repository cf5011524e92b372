"""The preview of a void, beside what it costs to count the games behind the voided one.

Both are measured of the same game, one right after the other: the preview, then the void, and then
the job that takes the game out of the ranking and rates all later games again. The void is undone
before the next one. At an event the preview also draws the later rounds again; what drawing them
cost stands beside it and counts with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Final

from django.conf import settings
from django.db import connection

from bench.service.cost import cost
from bench.service.events import running_stage
from bench.service.league import copy_games, new_season
from games.models import Game
from league.core.log.services import Actor
from league.disputes.void.queries import void_preview
from league.models import RankedGame, Season, Table
from league.stages.result.services.void import game_restore, game_void_add
from league.standings.ranking.services.counting import ranking_count
from league.standings.ranking.services.rebuild import ranking_rebuild, ranking_rebuild_ask
from league.up.roles import connected_as
from tests.factories import events

COPIES: Final = (0, 9)
"""100 games, then 1,000."""
PLAYERS: Final = 32
PAIRS: Final = 9
"""So many games are voided, spread over all that were played."""
MOST: Final = 1.2
"""A preview may cost so many times what counting the games behind it does."""
WHY: Final = Actor(reason="Entered twice.")


@dataclass(slots=True)
class TimedPairs:
    """The CPU of the previews in milliseconds, and beside each that of counting the games behind
    it, and of the draws of the rounds behind it."""

    previews: list[float] = field(default_factory=list)
    counted: list[float] = field(default_factory=list)
    drawn: list[float] = field(default_factory=list)

    @property
    def ratio(self) -> float:
        """The median of the ratios of the pairs."""
        pairs = zip(self.previews, self.counted, self.drawn, strict=True)
        return median(preview / (count + drawn) for preview, count, drawn in pairs)


def measure() -> None:
    """Print the ratio for seasons of two sizes, and for an event with later rounds."""
    print(
        f"\nThe preview of a void  (median of {PAIRS}, of CPU; at most {MOST} × counting what "
        "is behind it)"
    )
    for copies in COPIES:
        season = new_season(28)
        if copies:
            copy_games(season, copies, counted=True)
            ranking_rebuild_ask(ranking=season.ranking, actor=WHY)
            ranking_rebuild(ranking_id=season.ranking_id)
        _print(season)
    _print(*_evening())


def _evening() -> tuple[Season, list[float]]:
    """A season of one event, a stage of so many, of which two rounds are played and the third is
    drawn; and the CPU of each draw, in milliseconds."""
    stage = running_stage(PLAYERS)
    draws = []
    for number in range(3):
        with cost() as spent:
            stage_round = events.drawn(stage)
        draws.append(spent.cpu)
        if number < 2:
            events.play(stage_round)
    season: Season = stage.event.season
    ranking_count(ranking_id=season.ranking_id)
    return season, draws


def _print(season: Season, draws: Sequence[float] = ()) -> None:
    with connected_as(settings.DATABASE_OWNER_URL), connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    games = RankedGame.objects.filter(ranking=season.ranking_id)
    pairs = _measured(season, draws)
    preview, count, drawn = (
        median(costs) for costs in (pairs.previews, pairs.counted, pairs.drawn)
    )
    at_event = f", drawing {drawn:8.2f} ms" if draws else ""
    print(
        f"  {games.count():>6,} games: preview {preview:8.2f} ms, counting {count:8.2f} "
        f"ms{at_event}"
        f"   {pairs.ratio:.2f} ×",
        flush=True,
    )


def _measured(season: Season, draws: Sequence[float]) -> TimedPairs:
    """Preview, void, count and restore games, from the first to the last."""
    ids = list(
        Game.objects.filter(season_game__season=season).order_by("pk").values_list("pk", flat=True)
    )
    pairs = TimedPairs()
    for number in range(PAIRS + 1):
        games = Game.objects.select_related(
            "season_game__season__club", "season_game__season__ranking"
        )
        game = games.get(pk=ids[number * (len(ids) - 1) // PAIRS])
        with cost() as preview:
            void_preview(game=game, stands=True)
        game_void_add(game=game, actor=WHY)
        with cost() as counted:
            ranking_count(ranking_id=season.ranking_id)
        game_restore(game=game, actor=WHY)
        ranking_count(ranking_id=season.ranking_id)
        if number:  # the first one warms everything up
            table = (
                Table.objects.filter(table_games__game=game).select_related("stage_round").first()
            )
            pairs.previews.append(preview.cpu)
            pairs.counted.append(counted.cpu)
            pairs.drawn.append(sum(draws[table.stage_round.number :]) if table else 0.0)
    return pairs
