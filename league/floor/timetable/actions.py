"""What the log tells of timetables."""

from django.utils.translation import gettext_lazy as _

from league.core.log.actions import Action, register


@register
class TimetableAction(Action):
    """Actions on a timetable."""

    ASKED = "timetable.asked", _("timetable requested")
    FAILED = "timetable.failed", _("timetable could not be made")
    MADE = "timetable.made", _("timetable made")
    CHANGED = "timetable.changed", _("timetable changed by hand")
    PUBLISHED = "timetable.published", _("timetable published")
    DROPPED = "timetable.dropped", _("timetable taken back")
