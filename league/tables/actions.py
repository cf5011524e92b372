"""What this room does, as the log tells it."""

from django.utils.translation import gettext_lazy as _

from league.log.actions import Action, register


@register
class TableAction(Action):
    """What is done to a table."""

    CHALLENGED = "table.challenged", _("challenge set up")
    WALKOVER = "table.walkover", _("table given without play, or that undone")
