"""Log actions of games, objections and proposals."""

from django.utils.translation import gettext_lazy as _

from league.core.log.actions import Action, register


@register
class GameAction(Action):
    """Actions on a game."""

    SEALED = "game.sealed", _("game sealed")
    CORRECTED = "game.corrected", _("game corrected")
    PLAY_AGAIN = "game.play_again", _("game played again from a round")
    REASON_REMOVED = "game.reason_removed", _("reason for a correction removed")
    VOIDED = "game.voided", _("game voided")
    RESTORED = "game.restored", _("voided game restored")
    PENALIZED = "game.penalized", _("penalty points deducted")
    PENALTY_LIFTED = "game.penalty_lifted", _("penalty points given back")
    ORDER_SET = "game.order_set", _("finishing order set")
    ORDER_LIFTED = "game.order_lifted", _("finishing order reset to the one played")
    VOID_REASON_REMOVED = "void.reason_removed", _("reason for voiding a game removed")


@register
class ObjectionAction(Action):
    """Actions on a seat's objection to the result of a game."""

    RAISED = "objection.raised", _("objection raised")
    ENDED = "objection.ended", _("objection closed")
    REMINDED = "objection.reminded", _("reminder of an open objection sent")
    ESCALATED = (
        "objection.escalated",
        _("reminder of an open objection sent to everybody who can rule"),
    )
    TEXT_REMOVED = "objection.emptied", _("text of an objection removed")


@register
class ProposalAction(Action):
    """Actions on a proposed correction."""

    MADE = "proposal.made", _("correction proposed")
    AGREED = "proposal.agreed", _("player agreed to a proposed correction")
