"""Log actions of closed seasons."""

from django.utils.translation import gettext_lazy as _

from league.core.log.actions import Action, register


@register
class PromotionAction(Action):
    """Actions by which players go up and down."""

    SEASON_CLOSED = "season.closed", _("season closed")
