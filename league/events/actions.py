"""What this room does, as the log tells it."""

from django.utils.translation import gettext_lazy as _

from league.log.actions import Action, register


@register
class EventAction(Action):
    """What is done to an event, or to a series of them."""

    CREATED = "event.created", _("event created")
    CHANGED = "event.changed", _("event changed")
    SERIES_CREATED = "series.created", _("series of events created")
