"""The log's actions for hearings."""

from django.utils.translation import gettext_lazy as _

from league.core.log.actions import Action, register


@register
class HearingAction(Action):
    """Hearings of a table by an arbiter."""

    OPENED = "hearing.opened", _("hearing opened")
    REMINDED = "hearing.reminded", _("reminded of a hearing that waits")
    ESCALATED = "hearing.escalated", _("all told of a hearing that waits")
    TEXT_REMOVED = "hearing.emptied", _("question of a hearing removed")
