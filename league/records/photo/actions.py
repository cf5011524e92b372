"""Log actions of photos."""

from django.utils.translation import gettext_lazy as _

from league.core.log.actions import Action, register


@register
class PhotoAction(Action):
    """Actions on the photo of a game's sheet."""

    ADDED = "photo.added", _("photo added")
    REMOVED = "photo.removed", _("photo removed")
