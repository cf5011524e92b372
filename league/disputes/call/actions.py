"""The log's actions for calls to the arbiter, and for rulings at the table."""

from django.utils.translation import gettext_lazy as _

from league.core.log.actions import Action, register


@register
class CallAction(Action):
    """Calls for the arbiter; the subject is the open game."""

    MADE = "call.made", _("arbiter called to a table")
    TAKEN_BACK = "call.taken_back", _("call for the arbiter withdrawn")
    RULED = "call.ruled", _("ruling made at the table")
