"""Seasons as pages show them beside others."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final, TypedDict

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import (
    Count,
    DateField,
    DateTimeField,
    F,
    Func,
    OuterRef,
    Q,
    QuerySet,
    Sum,
    Window,
)
from django.db.models.functions import Cast, JSONObject, Now, Rank

from league.core.club.models import Club
from league.core.frame.name_key import NameKey
from league.core.log.models import LogHead
from league.standings.ranked_game.queries.provisional import provisional_rows
from league.standings.ranking.models import Ranking
from league.standings.season.models import AllTime, Season, Visibility
from league.standings.standing.models import Standing

LATE: Final = timedelta(days=30)
"""How long after a season's last day its games still come in."""


class TopRow(TypedDict):
    """A row of the table's top. `provisional`: a seat objects to the result of a game in it."""

    rank: int
    player: str
    handle: str
    name: str
    points: int
    games: int
    provisional: bool


@dataclass(frozen=True, slots=True)
class SeasonCard:
    """A season, with club and ranking, and its first rows."""

    season: Season
    top: list[TopRow]

    @classmethod
    def of(cls, season: Any) -> SeasonCard:
        """The card of a season that comes from `with_top`."""
        return cls(season, season.top)


def with_top(seasons: QuerySet[Season], rows: int) -> QuerySet[Season]:
    """The seasons as `SeasonCard.of` reads them: with clubs, rankings and first rows, in one
    query."""
    top = (
        Standing.objects.filter(ranking=OuterRef("ranking"))
        .annotate(
            rank=Window(Rank(), order_by=F("key").desc()),
            provisional=provisional_rows("ranking", "player"),
        )
        .order_by("-key", "public_id")
        .values(
            line=JSONObject(
                rank="rank",
                player="player__public_id",
                handle="player__handle",
                name="player__name",
                points="points",
                games="games",
                provisional="provisional",
            )
        )
    )
    return seasons.select_related("club", "ranking").annotate(top=ArraySubquery(top[:rows]))


def latest_seasons(seasons: QuerySet[Season]) -> QuerySet[Season]:
    """Seasons with a table, neither archived nor of clubs that stand in no list, the one that
    changed last first."""
    listed = seasons.filter(ranking__version__gt=0, archived=False, club__listed=True)
    return listed.order_by(F("ranking__computed_at").desc(nulls_last=True), "pk")


def versions_of(clubs: QuerySet[Club]) -> tuple[object, ...]:
    """Read what all seasons of these clubs have come to, with the ends of the clubs' logs, in which
    every change of a name, a setting, an entry or a right stands. Two queries; each part rises with
    every change."""
    logged = LogHead.objects.filter(club__in=clubs).aggregate(Count("pk"), Sum("position"))
    return (
        *logged.values(),
        *Season.objects.filter(club__in=clubs).aggregate(Sum("ranking__version")).values(),
    )


def latest_season(club: Club) -> Season | None:
    """The season that began last."""
    return Season.objects.filter(club=club, archived=False).order_by("-starts_on", "-pk").first()


def open_seasons(clubs: Collection[int]) -> QuerySet[Season]:
    """The seasons of these clubs that run, or ended lately, by the clubs' day; the latest first."""
    clock = Func(F("club__timezone"), Now(), function="timezone", output_field=DateTimeField())
    seasons = Season.objects.select_related("club").alias(today=Cast(clock, DateField()))
    seasons = seasons.filter(
        Q(ends_on=None) | Q(ends_on__gte=F("today") - LATE),
        club__in=clubs,
        starts_on__lte=F("today"),
    )
    return seasons.order_by("-starts_on", "pk")


def desk_seasons(club: Club) -> QuerySet[Season]:
    """All seasons of a club, archived ones last, else the latest first, with their rankings."""
    seasons = Season.objects.filter(club=club).select_related("club", "ranking")
    return seasons.order_by("archived", "-starts_on", NameKey("name"), "pk")


def rankings_of(season: Season) -> list[int]:
    """The ids of the rankings that count the games of a season: its own, and the club's if
    everybody may see it."""
    if season.visibility != Visibility.PUBLIC or not hasattr(season.club, "all_time"):
        return [season.ranking_id]
    return [season.ranking_id, season.club.all_time.ranking_id]


def rankings_named(club: str, season: str | None = None) -> list[tuple[str, Ranking]]:
    """The rankings of a club, or that of one of its seasons, each with a name; both are given by
    slug."""
    seasons = (
        Season.objects.select_related("ranking").filter(club__slug=club).order_by("starts_on", "pk")
    )
    if season is not None:
        return [(row.name, row.ranking) for row in seasons.filter(slug=season)]
    all_time = AllTime.objects.filter(club__slug=club).select_related("ranking")
    return [
        *((row.name, row.ranking) for row in seasons),
        *((str(row), row.ranking) for row in all_time),
    ]
