"""Seasons as pages show them beside others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypedDict

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Count, F, OuterRef, Q, QuerySet, Window
from django.db.models.functions import JSONObject, Rank

from league.clubs.models import Club
from league.rankings.models import Standing
from league.seasons.models import Season


class TopRow(TypedDict):
    """A row of the table's top."""

    rank: int
    player: str
    handle: str
    name: str
    points: int
    games: int


@dataclass(frozen=True, slots=True)
class SeasonCard:
    """A season with its first rows, and how many games count in it."""

    season: Season
    top: list[TopRow]
    game_count: int

    @classmethod
    def of(cls, season: Any) -> SeasonCard:
        """The card of a season that comes from `with_top`."""
        return cls(season, season.top, season.game_count)


def with_top(seasons: QuerySet[Season], rows: int) -> QuerySet[Season]:
    """The seasons as `SeasonCard.of` reads them: with clubs, first rows and counted games, in one query."""
    top = (
        Standing.objects.filter(ranking=OuterRef("ranking"))
        .annotate(rank=Window(Rank(), order_by=F("key").desc()))
        .order_by("-key", "public_id")
        .values(
            line=JSONObject(
                rank="rank", player="player__public_id", handle="player__handle", name="player__name", points="points",
                games="games",
            )
        )
    )  # fmt: skip
    return seasons.select_related("club", "ranking").annotate(
        top=ArraySubquery(top[:rows]),
        game_count=Count("ranking__ranked_games__game", filter=Q(ranking__ranked_games__over=True)),
    )


def latest_seasons(seasons: QuerySet[Season]) -> QuerySet[Season]:
    """Seasons with a table, neither archived nor of clubs that stand in no list, the one that changed last first."""
    listed = seasons.filter(ranking__version__gt=0, archived=False, club__listed=True)
    return listed.order_by(F("ranking__computed_at").desc(nulls_last=True), "pk")


def latest_season(club: Club) -> Season | None:
    """The season that began last."""
    return Season.objects.filter(club=club, archived=False).order_by("-starts_on", "-pk").first()


def desk_seasons(club: Club) -> QuerySet[Season]:
    """All seasons of a club, archived ones last, else the latest first, each with its `game_count`."""
    counted = Season.objects.filter(club=club).annotate(game_count=Count("season_games"))
    return counted.select_related("club").order_by("archived", "-starts_on", "name", "pk")
