"""The loaders: views get clubs, seasons, players and games only from here, and only what the viewer may see.

What may not be seen is answered as if it didn't exist.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Q, QuerySet

from games.models import Game
from league.models import Club, ImportJob, Player, Season, Visibility
from league.permissions import Account


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who looks: an account or nobody, and the keys of seasons' links that this browser has followed."""

    user: Account
    keys: frozenset[str] = frozenset()


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


def club_for(viewer: Viewer, slug: str) -> Club:
    """The club of that slug. Raises `Club.DoesNotExist`. A club's name is public; its seasons say who sees them."""
    return Club.objects.get(slug=slug)


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


def season_for_import(viewer: Viewer, club_slug: str, slug: str) -> Season:
    """A season that the viewer may import games into. Raises `Season.DoesNotExist`."""
    season = season_for(viewer, club_slug, slug)
    if not viewer.user.has_perm("league.import_games", season.club):
        raise Season.DoesNotExist
    return season


def import_job_for(viewer: Viewer, job_id: int) -> ImportJob:
    """An uploaded file, for organisers of its club. Raises `ImportJob.DoesNotExist`."""
    job = ImportJob.objects.select_related("season__club").defer("content").get(pk=job_id)
    if not viewer.user.has_perm("league.import_games", job.season.club):
        raise ImportJob.DoesNotExist
    return job
