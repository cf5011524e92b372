"""A player in figures, over the seasons that the viewer may see."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from math import sqrt
from typing import Any, Final

from django.db import connection
from django.db.models import Avg, Count, Exists, F, FilteredRelation, OuterRef, Q, QuerySet, StdDev, Subquery
from django.db.models.functions import Coalesce

from engine.interval import Z95, Interval, of_share
from engine.rating.rating import is_provisional
from league.clubs.models import Player
from league.rankings.domain.game import UNTIMED
from league.rankings.models import Appearance, Standing
from league.seasons.models import Season


@dataclass(frozen=True, slots=True)
class PlayerSeason:
    """A player's row in one season's table. `mu` and `sigma` are None where the season isn't rated."""

    ranking_id: int
    slug: str
    name: str
    rank: int
    games: int
    wins: int
    points: int
    mu: float | None
    sigma: float | None

    @property
    def half(self) -> float | None:
        """Half the width of the rating's 95 % interval."""
        return None if self.sigma is None else Z95 * self.sigma

    @property
    def provisional(self) -> bool:
        """True if the rating rests on too few games yet."""
        return self.sigma is not None and is_provisional(self.sigma)

    @property
    def win_share(self) -> Interval:
        """The share of games won, and the ends of its 95 % interval."""
        return of_share(self.wins, self.games)


@dataclass(frozen=True, slots=True)
class Averages:
    """Means over a season's games, each with half the width of its 95 % interval (None after a single game)."""

    points: float
    points_half: float | None
    rank: float
    rank_half: float | None


@dataclass(frozen=True, slots=True)
class RatingDay:
    """A player's rating after a day of play at an event; `day` is None for games without a time."""

    event: str
    day: date | None
    games: int
    mu: float
    sigma: float


@dataclass(frozen=True, slots=True)
class Rival:
    """Games together with somebody, and how often the player finished ahead and behind."""

    player: str
    handle: str
    name: str
    games: int
    ahead: int
    behind: int

    @property
    def level(self) -> int:
        """Games in which both shared the rank."""
        return self.games - self.ahead - self.behind

    @property
    def balance(self) -> int:
        """Games ahead less games behind."""
        return self.ahead - self.behind


def seasons_of(player: Player, seasons: QuerySet[Season]) -> list[PlayerSeason]:
    """The player's rows in those of the seasons that have one, the latest season first.

    A rank is one more than how many rows of its ranking have a better key: a count over the index of keys.
    """
    ahead = Standing.objects.filter(ranking=OuterRef("ranking"), key__gt=OuterRef("key")).order_by()
    rows = (
        Standing.objects.filter(player=player, ranking__season__in=seasons)
        .annotate(
            rated=FilteredRelation("player__ratings", condition=Q(player__ratings__ranking=F("ranking"))),
            rank=Coalesce(Subquery(ahead.values("ranking").annotate(rows=Count("player")).values("rows")), 0) + 1,
        )
        .order_by("-ranking__season__starts_on", "-ranking__season__pk")
    )
    columns = ("slug", "name")
    names = [f"ranking__season__{column}" for column in columns]
    return [
        PlayerSeason(*row)
        for row in rows.values_list(
            "ranking_id", *names, "rank", "games", "wins", "points", "rated__mu", "rated__sigma"
        )
    ]


def rankings_played(player: Player, seasons: QuerySet[Season]) -> list[int]:
    """The rankings of the seasons with a game in which the player sat, by their ids, the latest season first."""
    sat = Appearance.objects.filter(player=player, ranking=OuterRef("ranking"))
    played = seasons.filter(Exists(sat)).order_by("-starts_on", "-pk")
    return list(played.values_list("ranking_id", flat=True))


def averages_of(player: Player, ranking_id: int) -> Averages:
    """Points and rank per game of a ranking; there has to be one that is over."""
    averages = Appearance.objects.filter(player=player, ranking=ranking_id, rank__isnull=False).aggregate(
        games=Count("game"),
        mean_points=Avg("points"),
        mean_rank=Avg("rank"),
        points_spread=StdDev("points", sample=True),
        rank_spread=StdDev("rank", sample=True),
    )
    return Averages(
        float(averages["mean_points"]),
        _half(averages["points_spread"], averages["games"]),
        float(averages["mean_rank"]),
        _half(averages["rank_spread"], averages["games"]),
    )


def _half(spread: Decimal | None, games: int) -> float | None:
    return None if spread is None else Z95 * float(spread) / sqrt(games)


HISTORY: Final = """
    WITH rated AS (
        SELECT event, (NULLIF(played_at, %(untimed)s) AT TIME ZONE %(zone)s)::date AS day, mu, sigma,
            row_number() OVER (ORDER BY played_at, natural_id) AS number
        FROM league_appearance JOIN league_rankedgame USING (ranking_id, game_id)
        WHERE player_id = %(player)s AND ranking_id = %(ranking)s AND mu IS NOT NULL
    ), ended AS (
        SELECT *, (event, day) IS DISTINCT FROM (lead(event) OVER way, lead(day) OVER way) AS is_last
        FROM rated WINDOW way AS (ORDER BY number)
    )
    SELECT event, day, number - lag(number, 1, 0) OVER (ORDER BY number), mu, sigma, count(*) OVER ()
    FROM ended WHERE is_last ORDER BY number DESC LIMIT %(count)s
"""
"""The last game of each day of play at an event, which is where the game after it is of another one."""


def history_of(player: Player, ranking_id: int, count: int) -> tuple[list[RatingDay], int]:
    """Read how the rating came along in a ranking, event by event: the last `count` days of play, which are those of
    the club (`player.club`), and how many there are in all. One query."""
    parameters: dict[str, Any] = {
        "untimed": UNTIMED,
        "zone": player.club.timezone,
        "player": player.pk,
        "ranking": ranking_id,
        "count": count,
    }
    with connection.cursor() as cursor:
        cursor.execute(HISTORY, parameters)
        days = cursor.fetchall()[::-1]
    return [RatingDay(*day) for *day, _ in days], days[0][-1] if days else 0


def rivals_of(player: Player, rankings: Sequence[int]) -> list[Rival]:
    """Everybody whom the player met in a game of these rankings (ids) that is over, the most frequent first, in one
    query."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT player.public_id, player.handle, player.name, met.together, met.ahead, met.behind FROM ("
            "  SELECT other.player_id, count(*) AS together, count(*) FILTER (WHERE own.rank < other.rank) AS ahead,"
            "   count(*) FILTER (WHERE own.rank > other.rank) AS behind"
            "  FROM league_appearance own JOIN league_appearance other USING (ranking_id, game_id)"
            "  WHERE own.player_id = %(player)s AND own.ranking_id = ANY(%(rankings)s) AND own.rank IS NOT NULL"
            "  GROUP BY other.player_id"
            " ) met JOIN league_player player ON player.id = met.player_id"
            " WHERE player.id <> %(player)s ORDER BY together DESC, player.name, player.id",
            {"player": player.pk, "rankings": list(rankings)},
        )
        return [Rival(*row) for row in cursor.fetchall()]
