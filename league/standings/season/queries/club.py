"""Clubs as lists show them."""

from django.db.models import Count, Q, QuerySet

from league.core.club.models import Club
from league.core.frame.name_key import NameKey
from league.core.player.models import Player
from league.core.viewer.queries.access import Viewer, listed_for
from league.standings.ranked_game.queries.ranked import has_seat_in
from league.standings.season.queries.access import visible_rankings, visible_seasons


def listed_clubs(viewer: Viewer) -> QuerySet[Club]:
    """Return the listed clubs by name, each with `season_count`, the number of seasons that the
    viewer may see."""
    visible = Q(seasons__in=visible_seasons(viewer))
    return (
        listed_for(viewer)
        .annotate(season_count=Count("seasons", filter=visible))
        .order_by(NameKey("name"), "pk")
    )


def shown_club(slug: str) -> Club:
    """Return a club with its all-time ranking if it has one (`club.all_time`). Raise
    `Club.DoesNotExist`."""
    return Club.objects.select_related("all_time").get(slug=slug)


def club_players(viewer: Viewer, club: Club) -> QuerySet[Player]:
    """Return the club's players with a game in a season that the viewer may see, by name."""
    return Player.objects.filter(has_seat_in(visible_rankings(viewer), "pk"), club=club).order_by(
        "name_key", "pk"
    )
