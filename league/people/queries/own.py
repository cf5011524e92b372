"""The players that an account is linked to."""

from django.db.models import Exists, QuerySet

from league.clubs.models import Player
from league.clubs.queries.access import Viewer
from league.rankings.models import Appearance
from league.rankings.queries.player import appears
from league.seasons.queries.access import visible_seasons


def own_players(viewer: Viewer) -> QuerySet[Player]:
    """The players of the viewer's account by club, each with the club and `seated`: whether the player, or somebody for
    the player, sat in a game of a season that the viewer may see, so that there is a page."""
    visible = Appearance.objects.filter(appears("pk"), ranking__season__in=visible_seasons(viewer))
    players = Player.objects.filter(user=viewer.user.pk, merged_into=None).select_related("club")
    return players.annotate(seated=Exists(visible)).order_by("club__name", "pk")
