"""Log actions of rebuilt events."""

from django.utils.translation import gettext_lazy as _

from league.core.log.actions import Action, register


@register
class RebuildAction(Action):
    """Actions on the derived rows of an event."""

    EVENT_REBUILT = "event.rebuilt", _("event recalculated")
