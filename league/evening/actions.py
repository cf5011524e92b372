"""What this room does, as the log tells it."""

from django.utils.translation import gettext_lazy as _

from league.log.actions import Action, register


@register
class CopyAction(Action):
    """What is done with last season’s settings."""

    SEASON_COPIED = "season.copied", _("season copied")
