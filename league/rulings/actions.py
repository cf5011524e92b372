"""The actions of this room, as the log tells them."""

from django.utils.translation import gettext_lazy as _

from league.log.actions import Action, register


@register
class KeptAction(Action):
    """Decisions about rounds after a correction."""

    ROUND_KEPT = "round.kept", _("round kept as played after a correction")


@register
class ObjectionAction(Action):
    """Objections of seats to the result of a game."""

    RAISED = "objection.raised", _("objection raised")
    ENDED = "objection.ended", _("objection ended")
    TEXT_REMOVED = "objection.emptied", _("words of an objection removed")
