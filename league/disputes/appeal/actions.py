"""The log's actions for appeals."""

from django.utils.translation import gettext_lazy as _

from league.core.log.actions import Action, register


@register
class AppealAction(Action):
    """Appeals against rulings."""

    RAISED = "appeal.raised", _("appeal raised")
    ENDED = "appeal.ended", _("appeal ended")
    REMINDED = "appeal.reminded", _("reminded of an appeal that waits")
    ESCALATED = "appeal.escalated", _("all told of an appeal that waits")
    TEXT_REMOVED = "appeal.emptied", _("words of an appeal removed")
