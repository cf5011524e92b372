"""What the log tells of the hall."""

from django.utils.translation import gettext_lazy as _

from league.core.log.actions import Action, register


@register
class HallAction(Action):
    """Actions on the hall, its clock, and the times at which somebody can play."""

    ROUND_CLOCK = "round.clock", _("round clock set, started or stopped")
    PLACES_CHANGED = "places.changed", _("spots in the hall changed")
    SLOTS_CHANGED = "slots.changed", _("playing times changed")
    ENTRY_AWAY = "entry.away", _("times recorded when somebody can’t play")
