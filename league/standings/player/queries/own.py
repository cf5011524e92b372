"""The players that an account is linked to."""

from django.db.models import BooleanField, ExpressionWrapper, QuerySet

from league.core.account.models import User
from league.core.club.models import Club
from league.core.frame.name_key import NameKey
from league.core.member.models.member import Role
from league.core.player.models import Player
from league.core.viewer.queries.access import Viewer
from league.standings.ranked_game.queries.ranked import has_seat_in
from league.standings.season.queries.access import visible_rankings


def own_players(viewer: Viewer) -> QuerySet[Player]:
    """Return the players of the viewer's account by club, each with the club and `seated`: whether
    the player sat in a game of a season that the viewer may see, and therefore has a page."""
    has_page = ExpressionWrapper(
        has_seat_in(visible_rankings(viewer), "pk"), output_field=BooleanField()
    )
    players = Player.objects.filter(user=viewer.user.pk, merged_into=None).select_related("club")
    return players.annotate(seated=has_page).order_by(NameKey("club__name"), "pk")


def playerless_clubs(user: User) -> QuerySet[Club]:
    """Return the clubs that an account organises without being one of their players, by name."""
    own = Player.objects.filter(user=user)
    organised = Club.objects.filter(memberships__user=user, memberships__role=Role.ORGANISER)
    return organised.exclude(pk__in=own.values("club")).order_by(NameKey("name"), "pk")
