"""The log's actions on clubs."""

from django.utils.translation import gettext_lazy as _

from league.core.log.actions import Action, register


@register
class ClubAction(Action):
    """Actions on a club."""

    CREATED = "club.created", _("club created")
    CHANGED = "club.changed", _("club changed")
    STATED = "club.stated", _("current state recorded by an upgrade")
