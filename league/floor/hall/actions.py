"""What the log tells of the hall."""

from django.utils.translation import gettext_lazy as _

from league.core.log.actions import Action, register


@register
class HallAction(Action):
    """Actions on the hall, its clock, and the times at which somebody can play."""

    ROUND_CLOCK = "round.clock", _("clock of a round set, started or stopped")
    PLACES_CHANGED = "places.changed", _("places of the hall changed")
    SLOTS_CHANGED = "slots.changed", _("times of play changed")
    ENTRY_AWAY = "entry.away", _("said when somebody can’t play")
