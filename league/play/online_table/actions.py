"""The log actions of online tables."""

from django.utils.translation import gettext_lazy as _

from league.core.log.actions import Action, register


@register
class PlayAction(Action):
    """Actions on online tables."""

    TABLE_OPENED = "online.opened", _("online table opened")
    TABLE_PAUSED = "online.paused", _("online table paused")
    TABLE_RESUMED = "online.resumed", _("online table resumed")
