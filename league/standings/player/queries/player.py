"""A player's figures over the seasons that the viewer may see."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from math import sqrt

from django.db.models import (
    Avg,
    Count,
    Exists,
    F,
    FilteredRelation,
    OuterRef,
    Q,
    QuerySet,
    StdDev,
    Subquery,
)
from django.db.models.functions import Coalesce

from engine.interval import Z95, Interval, of_share
from league.core.player.models import Player
from league.standings.ranked_game.models import Appearance
from league.standings.ranked_game.queries.provisional import provisional_rows
from league.standings.rating.domain import Rated
from league.standings.season.models import Season
from league.standings.standing.models import Standing


@dataclass(frozen=True, slots=True)
class PlayerSeason(Rated):
    """A player's row in one season's table. `mu` and `sigma` are None if the season isn't rated.
    `provisional`: a seat objects to the result of one of its games."""

    ranking_id: int
    slug: str
    name: str
    rank: int
    games: int
    wins: int
    points: int
    mu: float | None
    sigma: float | None
    provisional: bool

    @property
    def win_share(self) -> Interval:
        """Return the share of games won, with its 95 % interval."""
        return of_share(self.wins, self.games)


@dataclass(frozen=True, slots=True)
class Averages:
    """Means over a season's games, each with half the width of its 95 % interval (None after a
    single game)."""

    points: float
    points_half: float | None
    rank: float
    rank_half: float | None


def meetings(
    player: Player, second_player: Player, seasons: Sequence[PlayerSeason]
) -> list[tuple[PlayerSeason, int]]:
    """Return those of `seasons` in which two players finished games together, each with the number
    of these games. One query."""
    second_seat = Appearance.objects.filter(
        ranking=OuterRef("ranking"), game=OuterRef("game"), player=second_player
    )
    games = Appearance.objects.filter(
        Exists(second_seat),
        ranking__in=[season.ranking_id for season in seasons],
        player=player,
        rank__isnull=False,
    )
    counts = dict(games.order_by().values_list("ranking").annotate(Count("game")))
    return [
        (season, counts[season.ranking_id]) for season in seasons if season.ranking_id in counts
    ]


def seasons_of(player: Player, seasons: QuerySet[Season]) -> list[PlayerSeason]:
    """Return the player's rows in these seasons, the latest season first.

    A rank is one more than the number of rows with a better key, counted over the index of keys."""
    ahead = Standing.objects.filter(ranking=OuterRef("ranking"), key__gt=OuterRef("key")).order_by()
    rows = (
        Standing.objects.filter(player=player, ranking__season__in=seasons)
        .annotate(
            rated=FilteredRelation(
                "player__ratings", condition=Q(player__ratings__ranking=F("ranking"))
            ),
            rank=Coalesce(
                Subquery(ahead.values("ranking").annotate(rows=Count("player")).values("rows")), 0
            )
            + 1,
            provisional=provisional_rows("ranking", "player"),
        )
        .order_by("-ranking__season__starts_on", "-ranking__season__pk")
    )
    names = ("ranking_id", "ranking__season__slug", "ranking__season__name")
    figures = ("rank", "games", "wins", "points", "rated__mu", "rated__sigma", "provisional")
    return [PlayerSeason(*row) for row in rows.values_list(*names, *figures)]


def rankings_played(player: Player, seasons: QuerySet[Season]) -> list[int]:
    """Return the ids of the seasons' rankings with a game in which the player sat, the latest
    season first."""
    sat = Appearance.objects.filter(player=player, ranking=OuterRef("ranking"))
    return list(
        seasons.filter(Exists(sat))
        .order_by("-starts_on", "-pk")
        .values_list("ranking_id", flat=True)
    )


def averages_of(player: Player, ranking_id: int) -> Averages:
    """Return points and rank per game of a player's row in a ranking. The row must exist."""
    averages = Appearance.objects.filter(
        counts_for=player, ranking=ranking_id, rank__isnull=False
    ).aggregate(
        games=Count("game"),
        mean_points=Avg(F("points") - F("penalty")),
        mean_rank=Avg("rank"),
        points_spread=StdDev(F("points") - F("penalty"), sample=True),
        rank_spread=StdDev("rank", sample=True),
    )
    return Averages(
        float(averages["mean_points"]),
        _half_interval_of_mean(averages["points_spread"], averages["games"]),
        float(averages["mean_rank"]),
        _half_interval_of_mean(averages["rank_spread"], averages["games"]),
    )


def _half_interval_of_mean(deviation: Decimal | None, games: int) -> float | None:
    if deviation is None:
        return None
    return Z95 * float(deviation) / sqrt(games)
