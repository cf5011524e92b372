"""What this room does, as the log tells it."""

from django.utils.translation import gettext_lazy as _

from league.log.actions import Action, register


@register
class ClubAction(Action):
    """What is done to a club."""

    CREATED = "club.created", _("club created")
    CHANGED = "club.changed", _("club changed")


@register
class MemberAction(Action):
    """What is done to the roles in a club."""

    ADDED = "member.added", _("role given")
    REMOVED = "member.removed", _("role taken")
    INVITED = "member.invited", _("somebody invited")
    INVITATION_WITHDRAWN = "member.uninvited", _("invitation withdrawn")


@register
class KeyAction(Action):
    """What is done to the keys of programs."""

    CREATED = "key.created", _("key made")
    REVOKED = "key.revoked", _("key revoked")


@register
class PlayerAction(Action):
    """What is done to a player."""

    CREATED = "player.created", _("player created")
    RENAMED = "player.renamed", _("player renamed")
    LINKED = "player.linked", _("player linked to an account")
    MERGED = "player.merged", _("players merged")
    PARTED = "player.parted", _("merge undone")
    ERASED = "player.erased", _("player erased")
