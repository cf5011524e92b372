"""The log's actions for arbiters from outside."""

from django.utils.translation import gettext_lazy as _

from league.core.log.actions import Action, register


@register
class ArbiterAction(Action):
    """Invitations to rule on a disputed game, and the seats that agree on somebody."""

    INVITED = "arbiter.invited", _("outside arbiter invited")
    ACCEPTED = "arbiter.accepted", _("invitation to rule accepted")
    ASSENTED = "arbiter.assented", _("player agreed to an arbiter")
    AGREED = "arbiter.agreed", _("arbiter agreed on by all players")
    ENDED = "arbiter.ended", _("invitation to rule ended")
