"""What this room does, as the log tells it."""

from django.utils.translation import gettext_lazy as _

from league.log.actions import Action, register


@register
class MessageAction(Action):
    """What is said to all who have a place."""

    EVENT_MESSAGE = "event.message", _("message to all who have a place")
