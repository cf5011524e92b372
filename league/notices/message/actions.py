"""The log's actions for messages."""

from django.utils.translation import gettext_lazy as _

from league.core.log.actions import Action, register


@register
class MessageAction(Action):
    """Messages of organisers to all players who have a place."""

    EVENT_MESSAGE = "event.message", _("message sent to everybody who has a place")
