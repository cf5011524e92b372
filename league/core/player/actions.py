"""The log's actions on players."""

from django.utils.translation import gettext_lazy as _

from league.core.log.actions import Action, register


@register
class PlayerAction(Action):
    """Actions on a player."""

    CREATED = "player.created", _("player created")
    RENAMED = "player.renamed", _("player renamed")
    LINKED = "player.linked", _("player linked to an account")
    CODE_MADE = "player.code_made", _("claim code created")
    CLAIMED = "player.claimed", _("player claimed")
    CLAIM_ENDED = "player.claim_ended", _("claim to a player ended")
    MERGED = "player.merged", _("players merged")
    PARTED = "player.parted", _("merge undone")
    GUEST_ERASED = "player.guest_erased", _("guest’s name erased")
    ERASED = "player.erased", _("player erased")
