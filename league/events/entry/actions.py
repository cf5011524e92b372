"""The log actions of entries."""

from django.utils.translation import gettext_lazy as _

from league.core.log.actions import Action, register


@register
class EntryAction(Action):
    """Actions on an entry."""

    ADDED = "entry.added", _("player entered for an event")
    CHANGED = "entry.changed", _("entry changed")
    MOVED_UP = "entry.moved_up", _("player moved up from the waiting list")
    CHECKED_IN = "entry.checked_in", _("player checked in")
    LABELLED = "entry.labelled", _("club or town recorded")
    FEE_CHANGED = "entry.fee_changed", _("fee payment recorded")
    CLAIM_REFUSED = "entry.claim_refused", _("phone refused")
    WALL_RENEWED = "entry.wall_renewed", _("wall code renewed")
    ENTRIES_KEPT_APART = "entry.kept_apart", _("players to keep apart changed")
