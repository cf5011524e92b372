"""What the log tells of devices that write."""

from django.utils.translation import gettext_lazy as _

from league.core.log.actions import Action, register


@register
class DeviceAction(Action):
    """Actions on a device that writes for a table, or for a game without one."""

    MADE = "device.made", _("scorer’s key created")
    REVOKED = "device.revoked", _("scorer’s key revoked")
