"""The actions of this room, as the log tells them."""

from django.utils.translation import gettext_lazy as _

from league.log.actions import Action, register


@register
class HallAction(Action):
    """Actions on the hall, its clock, and the times at which somebody can play."""

    ROUND_CLOCK = "round.clock", _("clock of a round set, started or stopped")
    PLACES_CHANGED = "places.changed", _("places of the hall changed")
    SLOTS_CHANGED = "slots.changed", _("times of play changed")
    ENTRY_AWAY = "entry.away", _("said when somebody can’t play")


@register
class TimetableAction(Action):
    """Actions on a timetable."""

    ASKED = "timetable.asked", _("timetable asked for")
    FAILED = "timetable.failed", _("timetable could not be made")
    MADE = "timetable.made", _("timetable made")
    CHANGED = "timetable.changed", _("timetable changed by hand")
    PUBLISHED = "timetable.published", _("timetable published")
    DROPPED = "timetable.dropped", _("timetable taken back")
