"""Log actions of rounds."""

from django.utils.translation import gettext_lazy as _

from league.core.log.actions import Action, register


@register
class RoundAction(Action):
    """Actions on a round."""

    ASKED = "round.asked", _("draw requested")
    FAILED = "round.failed", _("round could not be drawn")
    DRAWN = "round.drawn", _("round drawn")
    CHANGED = "round.changed", _("draw changed by hand")
    PUBLISHED = "round.published", _("draw published")
    TAKEN_BACK = "round.taken_back", _("round taken back")
    REASON_REMOVED = "round.reason_removed", _("reason for a changed draw removed")
