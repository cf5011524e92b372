"""What the log tells of API keys."""

from django.utils.translation import gettext_lazy as _

from league.core.log.actions import Action, register


@register
class KeyAction(Action):
    """Actions on the keys of programs."""

    CREATED = "key.created", _("key made")
    REVOKED = "key.revoked", _("key revoked")
