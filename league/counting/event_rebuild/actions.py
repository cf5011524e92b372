"""What the log tells of events that are computed anew."""

from django.utils.translation import gettext_lazy as _

from league.core.log.actions import Action, register


@register
class RebuildAction(Action):
    """Actions on what follows from the facts of an event."""

    EVENT_REBUILT = "event.rebuilt", _("event computed anew")
