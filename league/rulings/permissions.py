"""Who may rule on a game."""

import rules
from django.db.models import Q
from django.db.models.functions import Lower

from games.models import Game, Seat
from league.clubs.models import Handle
from league.clubs.permissions import Account
from league.events.models import Event
from league.events.permissions import SCORERS, with_role


@rules.predicate
def corrects(user: Account, game: Game) -> bool:
    """An arbiter or organiser of the game's club, or of the event at whose table it was played. The game comes with its
    season and club."""
    if user.has_perm("league.correct_games", game.season_game.season.club):
        return True
    if not user.is_authenticated:
        return False
    played_at = (
        Event.objects.select_related("club").filter(stages__stage_rounds__tables__table_games__game=game).first()
    )
    return played_at is not None and user.has_perm("league.rule_event", played_at)


@rules.predicate
def sees_photos(user: Account, game: Game) -> bool:
    """Somebody who sat at the game, enters results for its club or event, or may rule on it. The game comes with its
    season and club."""
    if not user.is_authenticated:
        return False
    club = game.season_game.season.club
    if user.has_perm("league.enter_games", club) or corrects(user, game):
        return True
    at_event = with_role(user, SCORERS)
    if Event.objects.filter(at_event, stages__stage_rounds__tables__table_games__game=game).exists():
        return True
    own = Handle.objects.filter(Q(player__user=user) | Q(player__merged_into__user=user), club=club)
    seats = Seat.objects.alias(lower=Lower("handle")).filter(game=game)
    return seats.filter(lower__in=own.values(lower=Lower("handle"))).exists()


rules.add_perm("league.correct_game", corrects)
rules.add_perm("league.see_photos", sees_photos)
