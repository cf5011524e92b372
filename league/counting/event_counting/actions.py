"""What the log tells of what counts in a season."""

from django.utils.translation import gettext_lazy as _

from league.core.log.actions import Action, register


@register
class CountingAction(Action):
    """Actions on the way in which events count."""

    SEASON_COUNTING = "season.counting", _("what the events count for changed")
    SEASON_DIVISIONS = "season.divisions", _("divisions changed")
    SEASON_CLOSED = "season.closed", _("season closed")
    EVENT_REBUILT = "event.rebuilt", _("event computed anew")
