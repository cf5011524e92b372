"""The log actions of helpers."""

from django.utils.translation import gettext_lazy as _

from league.core.log.actions import Action, register


@register
class HelperAction(Action):
    """Actions on roles for one event."""

    ADDED = "helper.added", _("event role given")
    REMOVED = "helper.removed", _("event role ended")
    INVITED = "helper.invited", _("helper invited")
    INVITATION_WITHDRAWN = "helper.uninvited", _("helper’s invitation withdrawn")
