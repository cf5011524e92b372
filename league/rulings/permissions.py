"""Who may rule on a game."""

import rules

from games.models import Game
from league.clubs.permissions import Account
from league.events.models import Event


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


rules.add_perm("league.correct_game", corrects)
