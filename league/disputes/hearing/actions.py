"""The log's actions for hearings."""

from django.utils.translation import gettext_lazy as _

from league.core.log.actions import Action, register


@register
class HearingAction(Action):
    """Hearings of a table by an arbiter."""

    OPENED = "hearing.opened", _("hearing opened")
    REMINDED = "hearing.reminded", _("reminder of an open hearing sent")
    ESCALATED = "hearing.escalated", _("reminder of an open hearing sent to everybody who can rule")
    TEXT_REMOVED = "hearing.emptied", _("hearing question removed")
