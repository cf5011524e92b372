"""The rights to correct a game, and to bear witness about it."""

import rules
from django.db.models import Exists

from games.models import Game
from league.core.member.models.member import Membership
from league.core.viewer.permissions import Account
from league.disputes.objection.queries.objection import seats_of_account
from league.events.event.models import Event
from league.events.event.permissions import WORKERS, helper_roles


@rules.predicate
def corrects(user: Account, game: Game) -> bool:
    """Return True for arbiters and organisers of the game's club, or of the event at whose table it
    was played. The game must be loaded with its season and club."""
    if user.has_perm("league.correct_games", game.season_game.season.club):
        return True
    if not user.is_authenticated:
        return False
    events = Event.objects.select_related("club")
    event = events.filter(stages__stage_rounds__tables__table_games__game=game).first()
    return event is not None and user.has_perm("league.rule_event", event)


@rules.predicate
def takes_part(user: Account, game: Game) -> bool:
    """Return True for the players of a game, and for everybody who works for its club or at its
    event. The game must be loaded with its season and club. One query."""
    if not user.is_authenticated or user.is_superuser:
        return user.is_authenticated
    club_id = game.season_game.season.club_id
    members = Membership.objects.filter(club=club_id, user=user.pk, role__in=WORKERS)
    helpers = helper_roles(user).filter(
        role__in=WORKERS, event__stages__stage_rounds__tables__table_games__game=game
    )
    seats = seats_of_account(club_id, user.pk).filter(game=game)
    is_involved = Exists(members) | Exists(helpers) | Exists(seats)
    return Game.objects.filter(is_involved, pk=game.pk).exists()


rules.add_perm("league.correct_game", corrects)
rules.add_perm("league.bear_witness", takes_part)
