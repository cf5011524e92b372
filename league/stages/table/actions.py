"""Log actions of tables."""

from django.utils.translation import gettext_lazy as _

from league.core.log.actions import Action, register


@register
class TableAction(Action):
    """Actions on a table."""

    CHALLENGED = "table.challenged", _("table set up")
    WALKOVER = "table.walkover", _("table awarded without play, or the award undone")
    REASON_REMOVED = "table.reason_removed", _("reason for a table awarded without play removed")
