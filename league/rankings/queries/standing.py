"""A season's table as it is shown, and what a row of it is made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import FilteredRelation, Q, QuerySet

from engine.rating.interval import Z95, is_provisional
from league.rankings.models import Season, SeasonGame, Standing, TieBreak
from league.rankings.queries.gameline import LINE, SEATS, GameLine

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

FIGURES = (
    "rank", "rank_before", "decided_by", "player_id", "player__handle", "player__name",
    "games", "wins", "points", "rank_sum", "best", "rated__mu", "rated__sigma", "rated__recent",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class TableRow:
    """One row of a season's table. `mu`, `sigma` and `recent` are None where the season isn't rated."""

    rank: int
    rank_before: int | None
    decided_by: str
    player_id: int
    handle: str
    name: str
    games: int
    wins: int
    points: int
    rank_sum: int
    best: int
    mu: float | None
    sigma: float | None
    recent: Sequence[float] | None

    @property
    def climbed(self) -> int | None:
        """Places won since before the last day of play, negative for lost ones; None for who is new."""
        return None if self.rank_before is None else self.rank_before - self.rank

    @property
    def per_game(self) -> float:
        """Points per game."""
        return self.points / self.games

    @property
    def average_rank(self) -> float:
        """Average rank, from 1."""
        return self.rank_sum / self.games

    @property
    def half(self) -> float | None:
        """Half the width of the rating's 95 % interval."""
        return None if self.sigma is None else Z95 * self.sigma

    @property
    def provisional(self) -> bool:
        """Whether the rating rests on too few games yet."""
        return self.sigma is not None and is_provisional(self.sigma)

    @property
    def decided(self) -> StrOrPromise:
        """The tie-break that put this row behind the one above it, in words; empty if none was needed."""
        return TieBreak(self.decided_by).label if self.decided_by else ""

    @property
    def made_of(self) -> str:
        """Where, below the season's address, the page is that shows what the row is made of."""
        return f"players/{self.player_id}/"


def table_rows(season: Season) -> list[TableRow]:
    """The season's table from best to worst, in one query."""
    return [TableRow(*row) for row in _rows(season).order_by("rank", "player_id").values_list(*FIGURES)]


def row_of(season: Season, player_id: int) -> TableRow:
    """One player's row of the season's table. Raises `Standing.DoesNotExist`."""
    return TableRow(*_rows(season).filter(player=player_id).values_list(*FIGURES).get())


def _rows(season: Season) -> QuerySet[Standing]:
    return Standing.objects.filter(season=season).annotate(
        rated=FilteredRelation("player__ratings", condition=Q(player__ratings__season=season.pk))
    )


@dataclass(frozen=True, slots=True)
class Share:
    """What one game brought a player: rank and points, and `total`, the points up to and with it.

    The ratings before and after are None where the season isn't rated.
    """

    game: GameLine
    rank: int
    points: int
    total: int
    mu_before: float | None
    mu: float | None
    sigma: float | None

    @property
    def gained(self) -> float | None:
        """How far the game moved the rating."""
        return None if self.mu is None or self.mu_before is None else self.mu - self.mu_before

    @property
    def half(self) -> float | None:
        """Half the width of the rating's 95 % interval after the game."""
        return None if self.sigma is None else Z95 * self.sigma


def shares_of(season: Season, player_id: int) -> list[Share]:
    """Every counted game of a player in the season, in order of play, in one query."""
    games = (
        SeasonGame.objects.filter(season=season, counted=True)
        .annotate(
            own=FilteredRelation("appearances", condition=Q(appearances__player=player_id)),
            change=FilteredRelation("rating_changes", condition=Q(rating_changes__player=player_id)),
        )
        .filter(own__isnull=False)
        .order_by("played_at", "external_id")
    )
    figures = games.annotate(seats=SEATS).values_list(
        *LINE, "own__rank", "own__points", "change__mu_before", "change__mu", "change__sigma"
    )
    shares, total = [], 0
    for *line, rank, points, mu_before, mu, sigma in figures:
        total += points
        shares.append(Share(GameLine.of(line), rank, points, total, mu_before, mu, sigma))
    return shares
