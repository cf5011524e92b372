"""The log's actions on members."""

from django.utils.translation import gettext_lazy as _

from league.core.log.actions import Action, register


@register
class MemberAction(Action):
    """Actions on roles in a club."""

    ADDED = "member.added", _("role given")
    REMOVED = "member.removed", _("role removed")
    INVITED = "member.invited", _("member invited")
    INVITATION_WITHDRAWN = "member.uninvited", _("invitation withdrawn")
