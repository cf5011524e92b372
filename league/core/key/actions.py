"""The log's actions on API keys."""

from django.utils.translation import gettext_lazy as _

from league.core.log.actions import Action, register


@register
class KeyAction(Action):
    """Actions on API keys."""

    CREATED = "key.created", _("key created")
    REVOKED = "key.revoked", _("key revoked")
