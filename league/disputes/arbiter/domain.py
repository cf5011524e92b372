"""The state of an invitation to rule."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db import models
from django.utils.translation import gettext_lazy as _

from league.disputes.arbiter.models import LASTS, ArbiterInvitation


class State(models.TextChoices):
    """The state of an invitation. Only `agreed` lets the arbiter rule."""

    INVITED = "invited", _("nobody has accepted yet")
    ACCEPTED = "accepted", _("waiting for the players to answer")
    AGREED = "agreed", _("all players agree")
    ENDED = "ended", _("ended")
    OVER = "over", _("expired")


def state_of(
    invitation: ArbiterInvitation, seats: Sequence[object], is_disputed: bool, at: datetime
) -> State:
    """Return the state of an invitation at a time. `seats`: the seats of its game; `is_disputed`:
    whether the game's result is disputed. The invitation must be loaded with its acceptance,
    assents and end."""
    if hasattr(invitation, "end"):
        return State.ENDED
    if not is_disputed or at - LASTS >= invitation.made_at:
        return State.OVER
    acceptance = getattr(invitation, "acceptance", None)
    if acceptance is None:
        return State.INVITED
    if len(acceptance.assents.all()) < len(seats):
        return State.ACCEPTED
    return State.AGREED
