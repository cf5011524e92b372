"""Log actions of rankings."""

from django.utils.translation import gettext_lazy as _

from league.core.log.actions import Action, register


@register
class RankingAction(Action):
    """Actions on a ranking."""

    CREATED = "ranking.created", _("ranking created")
    REBUILT = "ranking.rebuilt", _("ranking recalculated")
    RECOUNTED = (
        "ranking.recounted",
        _("ranking recalculated, because guests and substitutes now count as their entries say"),
    )
    RERATED = (
        "ranking.rerated",
        _("ratings recalculated: a shared place now counts as the mean of all possible orders"),
    )
