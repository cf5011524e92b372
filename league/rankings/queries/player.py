"""A player in figures, over the seasons that the viewer may see."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from itertools import groupby
from math import sqrt
from zoneinfo import ZoneInfo

from django.db.models import Avg, Count, F, FilteredRelation, Q, QuerySet, StdDev

from engine.rating.interval import Z95, is_provisional
from league.clubs.models import Player
from league.rankings.models import Appearance, RatingChange, Season, Standing


@dataclass(frozen=True, slots=True)
class PlayerSeason:
    """A player's row in one season's table. `mu` and `sigma` are None where the season isn't rated."""

    season_id: int
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
        """Whether the rating rests on too few games yet."""
        return self.sigma is not None and is_provisional(self.sigma)

    @property
    def win_share(self) -> tuple[float, float, float]:
        """The share of games won, and the ends of its 95 % interval."""
        return (self.wins / self.games, *wilson(self.wins, self.games))


@dataclass(frozen=True, slots=True)
class Averages:
    """Means over a season's games, each with half the width of its 95 % interval (None after a single game)."""

    points: float
    points_half: float | None
    rank: float
    rank_half: float | None


@dataclass(frozen=True, slots=True)
class Moment:
    """A player's rating after a day of play at an event; `day` is None for games without a time."""

    event: str
    day: date | None
    games: int
    mu: float
    sigma: float


@dataclass(frozen=True, slots=True)
class Rival:
    """Games together with somebody, and how often the player finished ahead and behind."""

    player_id: int
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


def wilson(hits: int, trials: int) -> tuple[float, float]:
    """The ends of the 95 % interval of a share, by E. B. Wilson (1927): it stays within 0 and 1 for few trials, too."""
    share, z2 = hits / trials, Z95**2
    middle = (share + z2 / (2 * trials)) / (1 + z2 / trials)
    half = Z95 * sqrt(share * (1 - share) / trials + z2 / (4 * trials**2)) / (1 + z2 / trials)
    return max(0.0, middle - half), min(1.0, middle + half)


def seasons_of(player: Player, seasons: QuerySet[Season]) -> list[PlayerSeason]:
    """The player's rows in those of the seasons that have one, the latest season first."""
    rows = (
        Standing.objects.filter(player=player, season__in=seasons)
        .annotate(rated=FilteredRelation("player__ratings", condition=Q(player__ratings__season=F("season"))))
        .order_by("-season__starts_on", "-season_id")
    )
    columns = (
        "season_id",
        "season__slug",
        "season__name",
        "rank",
        "games",
        "wins",
        "points",
        "rated__mu",
        "rated__sigma",
    )
    return [PlayerSeason(*row) for row in rows.values_list(*columns)]


def averages_of(player: Player, season_id: int) -> Averages:
    """Points and rank per counted game of a season; there has to be one."""
    found = Appearance.objects.filter(player=player, season=season_id, season_game__counted=True).aggregate(
        games=Count("pk"),
        mean_points=Avg("points"),
        mean_rank=Avg("rank"),
        points_spread=StdDev("points", sample=True),
        rank_spread=StdDev("rank", sample=True),
    )
    return Averages(
        float(found["mean_points"]),
        _half(found["points_spread"], found["games"]),
        float(found["mean_rank"]),
        _half(found["rank_spread"], found["games"]),
    )


def _half(spread: Decimal | None, games: int) -> float | None:
    return None if spread is None else Z95 * float(spread) / sqrt(games)


def history_of(player: Player, season_id: int) -> list[Moment]:
    """How the rating came along in a season, event by event; days of play are those of the club (`player.club`)."""
    zone = ZoneInfo(player.club.timezone)
    changes = (
        RatingChange.objects.filter(player=player, season_game__season=season_id)
        .order_by("season_game__played_at", "season_game__external_id")
        .values_list("season_game__game__event", "season_game__game__played_at", "mu", "sigma")
    )
    moments: list[Moment] = []
    for (event, day), games in groupby(changes, key=lambda row: (row[0], row[1] and row[1].astimezone(zone).date())):
        *before, (_, _, mu, sigma) = games
        moments.append(Moment(event, day, len(before) + 1, mu, sigma))
    return moments


def rivals_of(player: Player, seasons: QuerySet[Season]) -> list[Rival]:
    """Everybody whom the player met in a counted game of the seasons, the most frequent first, in one query."""
    own = Q(season_game__appearances__player=player)
    met = (
        Appearance.objects.filter(season__in=seasons, season_game__counted=True)
        .exclude(player=player)
        .annotate(own=FilteredRelation("season_game__appearances", condition=own))
        .filter(own__isnull=False)
        .values("player_id", "player__handle", "player__name")
        .annotate(
            together=Count("pk"),
            ahead=Count("pk", filter=Q(own__rank__lt=F("rank"))),
            behind=Count("pk", filter=Q(own__rank__gt=F("rank"))),
        )
        .order_by("-together", "player__name", "player_id")
    )
    columns = ("player_id", "player__handle", "player__name", "together", "ahead", "behind")
    return [Rival(*row) for row in met.values_list(*columns)]
