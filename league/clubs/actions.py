"""The actions of this room, as the log tells them."""

from django.utils.translation import gettext_lazy as _

from league.log.actions import Action, register


@register
class ClubAction(Action):
    """Actions on a club."""

    CREATED = "club.created", _("club created")
    CHANGED = "club.changed", _("club changed")
    STATED = "club.stated", _("stated by an upgrade")


@register
class MemberAction(Action):
    """Actions on the roles in a club."""

    ADDED = "member.added", _("role given")
    REMOVED = "member.removed", _("role taken")
    INVITED = "member.invited", _("somebody invited")
    INVITATION_WITHDRAWN = "member.uninvited", _("invitation withdrawn")


@register
class KeyAction(Action):
    """Actions on the keys of programs."""

    CREATED = "key.created", _("key made")
    REVOKED = "key.revoked", _("key revoked")


@register
class PlayerAction(Action):
    """Actions on a player."""

    CREATED = "player.created", _("player created")
    RENAMED = "player.renamed", _("player renamed")
    LINKED = "player.linked", _("player linked to an account")
    CODE_MADE = "player.code_made", _("code made by which somebody is a player")
    CLAIMED = "player.claimed", _("somebody says to be a player")
    CLAIM_ENDED = "player.claim_ended", _("claim of a player ended")
    MERGED = "player.merged", _("players merged")
    PARTED = "player.parted", _("merge undone")
    ERASED = "player.erased", _("player erased")
