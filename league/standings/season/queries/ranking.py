"""The rankings in which the games of a season count."""

from __future__ import annotations

from league.standings.ranking.models import Ranking
from league.standings.season.models import AllTime, Season, Visibility


def rankings_of(season: Season) -> list[int]:
    """The ids of the rankings that count the games of a season: its own, and the club's if everybody may see it."""
    if season.visibility != Visibility.PUBLIC or not hasattr(season.club, "all_time"):
        return [season.ranking_id]
    return [season.ranking_id, season.club.all_time.ranking_id]


def rankings_named(club: str, season: str | None = None) -> list[tuple[str, Ranking]]:
    """The rankings of a club, or that of one of its seasons, each with a name; both are given by slug."""
    seasons = Season.objects.select_related("ranking").filter(club__slug=club).order_by("starts_on", "pk")
    if season is not None:
        return [(row.name, row.ranking) for row in seasons.filter(slug=season)]
    all_time = AllTime.objects.filter(club__slug=club).select_related("ranking")
    return [*((row.name, row.ranking) for row in seasons), *((str(row), row.ranking) for row in all_time)]
