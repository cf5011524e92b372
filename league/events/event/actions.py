"""The log actions of events."""

from django.utils.translation import gettext_lazy as _

from league.core.log.actions import Action, register


@register
class EventAction(Action):
    """Actions on an event or a series of events."""

    CREATED = "event.created", _("event created")
    CHANGED = "event.changed", _("event changed")
    SERIES_CREATED = "series.created", _("series of events created")
