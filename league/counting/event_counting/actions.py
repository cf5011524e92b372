"""Log actions of how events count in a season."""

from django.utils.translation import gettext_lazy as _

from league.core.log.actions import Action, register


@register
class CountingAction(Action):
    """Actions on how events count, and on divisions."""

    SEASON_COUNTING = "season.counting", _("counting of events changed")
    SEASON_DIVISIONS = "season.divisions", _("divisions changed")
