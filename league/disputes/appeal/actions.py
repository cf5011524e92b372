"""The log's actions for appeals."""

from django.utils.translation import gettext_lazy as _

from league.core.log.actions import Action, register


@register
class AppealAction(Action):
    """Appeals against rulings."""

    RAISED = "appeal.raised", _("appeal raised")
    ENDED = "appeal.ended", _("appeal closed")
    REMINDED = "appeal.reminded", _("reminder of a waiting appeal sent")
    ESCALATED = "appeal.escalated", _("everybody told of a waiting appeal")
    TEXT_REMOVED = "appeal.emptied", _("text of an appeal removed")
