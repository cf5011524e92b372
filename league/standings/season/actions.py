"""Log actions of seasons."""

from django.utils.translation import gettext_lazy as _

from league.core.log.actions import Action, register


@register
class SeasonAction(Action):
    """Actions on a season."""

    CREATED = "season.created", _("season created")
    CHANGED = "season.changed", _("season changed")
    LINK_RENEWED = "season.link_renewed", _("season link renewed")
