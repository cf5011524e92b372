"""The rights to rule on a disputed game, and to see the photos of its sheet. The arbiter on whom
all its seats agreed has both."""

from __future__ import annotations

import rules
from django.db.models import Exists, ExpressionWrapper, OuterRef, Q, QuerySet
from django.utils import timezone

from games.models import Game, Seat
from league.core.viewer.permissions import Account
from league.disputes.arbiter.models import LASTS, ArbiterAssent, ArbiterInvitation
from league.disputes.correction.permissions import corrects, takes_part
from league.standings.ranked_game.queries.provisional import is_provisional


def disputed(game: str) -> ExpressionWrapper[Q]:
    """Return the condition that a game waits for an arbiter: an objection, a hearing or an appeal
    is open. `game`: the lookup path from the filtered rows to their game.

    While a game is disputed, its seats can agree on an arbiter, who can then rule.
    """
    return is_provisional(game)


def good_invitations() -> QuerySet[ArbiterInvitation]:
    """Return the invitations that hold now: they haven't ended, aren't too old, and their game is
    disputed."""
    return ArbiterInvitation.objects.filter(
        disputed("game"), end=None, made_at__gt=timezone.now() - LASTS
    )


def agreed_invitations() -> QuerySet[ArbiterInvitation]:
    """Return the good invitations with an arbiter on whom all seats of the game agreed."""
    assents = ArbiterAssent.objects.filter(
        acceptance=OuterRef(OuterRef("pk")), seat=OuterRef("number")
    )
    missing = Seat.objects.filter(~Exists(assents), game=OuterRef("game"))
    return good_invitations().filter(~Exists(missing), acceptance__isnull=False)


@rules.predicate
def agreed_on(user: Account, game: Game) -> bool:
    """Return True for the account on which all seats of the game agreed, for all revisions of the
    game. One query."""
    if not user.is_authenticated:
        return False
    invitations = agreed_invitations().filter(acceptance__arbiter=user.pk)
    return invitations.filter(game__source=game.source, game__external_id=game.external_id).exists()


rules.add_perm("league.rule_on_game", corrects | agreed_on)
rules.add_perm("league.see_photos", takes_part | agreed_on)
