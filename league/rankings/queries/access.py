"""The loaders: views get seasons, players and games only from here, and only what the viewer may see.

What may not be seen is answered as if it didn't exist.
"""

from __future__ import annotations

from django.db.models import Q, QuerySet

from games.models import Game
from league.clubs.models import Club, Player
from league.clubs.queries.access import Viewer
from league.rankings.models import Season, Visibility


def visible_seasons(viewer: Viewer) -> QuerySet[Season]:
    """Seasons that the viewer may see: public ones, those whose link was followed, those of the own clubs."""
    user = viewer.user
    if user.is_authenticated and user.is_superuser:
        return Season.objects.all()
    seen = Q(visibility=Visibility.PUBLIC)
    if viewer.keys:
        seen |= Q(visibility=Visibility.LINK, link_token__in=viewer.keys)
    if user.is_authenticated:
        seen |= Q(club__in=Club.objects.filter(memberships__user=user))
    return Season.objects.filter(seen)


def season_for(viewer: Viewer, club_slug: str, slug: str) -> Season:
    """The season with its club, in one query. Raises `Season.DoesNotExist`."""
    return visible_seasons(viewer).select_related("club").get(club__slug=club_slug, slug=slug)


def player_for(viewer: Viewer, player_id: int) -> Player:
    """A player with the club, if a season the viewer may see knows the player. Raises `Player.DoesNotExist`."""
    return (
        Player.objects.select_related("club")
        .filter(appearances__season__in=visible_seasons(viewer))
        .distinct()
        .get(pk=player_id)
    )


def game_for(viewer: Viewer, game_id: int) -> Game:
    """A game with its season and club (`game.season_game.season`), who entered it, and the revisions beside it.

    Raises `Game.DoesNotExist`.
    """
    return Game.objects.select_related("season_game__season__club", "entered_by", "replaces", "replaced_by").get(
        pk=game_id, season_game__season__in=visible_seasons(viewer)
    )
