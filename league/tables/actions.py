"""The actions of this room, as the log tells them."""

from django.utils.translation import gettext_lazy as _

from league.log.actions import Action, register


@register
class TableAction(Action):
    """Actions on a table."""

    CHALLENGED = "table.challenged", _("table set up")
    WALKOVER = "table.walkover", _("table given without play, or that undone")
    REASON_REMOVED = "table.reason_removed", _("reason of a table given without play removed")


@register
class RoundAction(Action):
    """Actions on a round."""

    ASKED = "round.asked", _("draw asked for")
    FAILED = "round.failed", _("round could not be drawn")
    DRAWN = "round.drawn", _("round drawn")
    CHANGED = "round.changed", _("draw changed by hand")
    PUBLISHED = "round.published", _("draw published")
    TAKEN_BACK = "round.taken_back", _("round taken back")
    REASON_REMOVED = "round.reason_removed", _("reason of a changed draw removed")
