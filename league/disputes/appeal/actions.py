"""The log's actions for appeals."""

from django.utils.translation import gettext_lazy as _

from league.core.log.actions import Action, register


@register
class AppealAction(Action):
    """Appeals against rulings."""

    RAISED = "appeal.raised", _("appeal raised")
    ENDED = "appeal.ended", _("appeal closed")
    REMINDED = "appeal.reminded", _("reminder of an open appeal sent")
    ESCALATED = "appeal.escalated", _("reminder of an open appeal sent to everybody who can rule")
    TEXT_REMOVED = "appeal.emptied", _("text of an appeal removed")
