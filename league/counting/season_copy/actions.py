"""Log actions of copies of seasons and events."""

from django.utils.translation import gettext_lazy as _

from league.core.log.actions import Action, register


@register
class CopyAction(Action):
    """Actions with last season’s settings."""

    SEASON_COPIED = "season.copied", _("season copied")
