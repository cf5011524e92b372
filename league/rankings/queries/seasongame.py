"""Games of a season as the folds need them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.db.models import Q, QuerySet

from league.rankings.models import Appearance, Season, SeasonGame

Place = tuple[datetime, str]


def counting_games(season: Season) -> QuerySet[SeasonGame]:
    """Games that count: they are over, and no correction replaces them. In order of play."""
    return SeasonGame.objects.filter(season=season, game__over=True, game__replaced_by=None).order_by(
        "played_at", "external_id"
    )


def since(place: Place | None) -> Q:
    """The games at a place in the order of play and after it; all of them without a place."""
    if place is None:
        return Q()
    played_at, external_id = place
    return Q(played_at__gt=played_at) | Q(played_at=played_at, external_id__gte=external_id)


def appearances_of(games: Iterable[SeasonGame]) -> dict[int, list[Appearance]]:
    """The appearances of some games by the season game's id, in seat order; one query."""
    grouped: dict[int, list[Appearance]] = {game.pk: [] for game in games}
    for appearance in Appearance.objects.filter(season_game__in=list(grouped)).order_by("season_game", "seat__number"):
        grouped[appearance.season_game_id].append(appearance)
    return grouped


def players_of(games: Iterable[SeasonGame]) -> set[int]:
    """The players who sat in any of the games."""
    return set(Appearance.objects.filter(season_game__in=[game.pk for game in games]).values_list("player", flat=True))
