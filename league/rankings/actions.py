"""What this room does, as the log tells it."""

from django.utils.translation import gettext_lazy as _

from league.log.actions import Action, register


@register
class GameAction(Action):
    """What is done to a game."""

    SEALED = "game.sealed", _("game sealed")
    CORRECTED = "game.corrected", _("game corrected")


@register
class RankingAction(Action):
    """What is done to a ranking."""

    CREATED = "ranking.created", _("ranking created")
    REBUILT = "ranking.rebuilt", _("ranking computed anew")
