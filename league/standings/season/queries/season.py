"""Lists of seasons, and the rankings that count a season's games."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final, TypedDict

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import (
    DateField,
    DateTimeField,
    F,
    Func,
    OuterRef,
    Q,
    QuerySet,
    Window,
)
from django.db.models.functions import Cast, JSONObject, Now, Rank

from league.core.club.models import Club
from league.core.frame.name_key import NameKey
from league.standings.ranked_game.queries.provisional import provisional_rows
from league.standings.ranking.models import Ranking
from league.standings.season.models import AllTime, Season, Visibility
from league.standings.standing.models import Standing

LATE: Final = timedelta(days=30)
"""How long after a season's last day its games may still come in."""


class TopRow(TypedDict):
    """A row at the top of the table. `provisional`: a seat objects to the result of one of its
    games."""

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
        """Return the card of a season from `with_top`."""
        return cls(season, season.top)


def with_top(seasons: QuerySet[Season], rows: int) -> QuerySet[Season]:
    """Annotate seasons for `SeasonCard.of`: with clubs, rankings and first rows. One query."""
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
    """Return those of these seasons that have a table, aren't archived and belong to a listed club;
    the season whose table changed last comes first."""
    listed = seasons.filter(ranking__version__gt=0, archived=False, club__listed=True)
    return listed.order_by(F("ranking__computed_at").desc(nulls_last=True), "pk")


def latest_season(club: Club) -> Season | None:
    """Return the club's season that started last, archived ones left out; None without such a
    season."""
    return Season.objects.filter(club=club, archived=False).order_by("-starts_on", "-pk").first()


def open_seasons(clubs: Collection[int]) -> QuerySet[Season]:
    """Return the seasons of these clubs (row ids) that run, or ended within `LATE`, by the date in
    the club's time zone; the latest first."""
    local_time = Func(F("club__timezone"), Now(), function="timezone", output_field=DateTimeField())
    seasons = Season.objects.select_related("club").alias(today=Cast(local_time, DateField()))
    seasons = seasons.filter(
        Q(ends_on=None) | Q(ends_on__gte=F("today") - LATE),
        club__in=clubs,
        starts_on__lte=F("today"),
    )
    return seasons.order_by("-starts_on", "pk")


def desk_seasons(club: Club) -> QuerySet[Season]:
    """Return all seasons of a club with their rankings, archived ones last, otherwise the latest
    first."""
    seasons = Season.objects.filter(club=club).select_related("club", "ranking")
    return seasons.order_by("archived", "-starts_on", NameKey("name"), "pk")


def rankings_of(season: Season) -> list[int]:
    """Return the ids of the rankings that count a season's games: its own, and the club's all-time
    ranking if the season is public."""
    if season.visibility != Visibility.PUBLIC or not hasattr(season.club, "all_time"):
        return [season.ranking_id]
    return [season.ranking_id, season.club.all_time.ranking_id]


def rankings_named(club: str, season: str | None = None) -> list[tuple[str, Ranking]]:
    """Return the rankings of a club, or that of one of its seasons, each with a name; both are
    given by slug."""
    seasons = (
        Season.objects.select_related("ranking").filter(club__slug=club).order_by("starts_on", "pk")
    )
    if season is not None:
        return [(row.name, row.ranking) for row in seasons.filter(slug=season)]
    rankings = [(row.name, row.ranking) for row in seasons]
    for row in AllTime.objects.filter(club__slug=club).select_related("ranking"):
        rankings.append((str(row), row.ranking))
    return rankings
