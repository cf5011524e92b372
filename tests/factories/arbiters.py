"""Somebody from outside who is to rule on a disputed game."""

from __future__ import annotations

from games.models import Game
from league.core.log.services import Actor
from league.disputes.arbiter.services import arbiter_accept, arbiter_invite
from league.models import ArbiterInvitation, User
from league.standings.season.queries.access import known_games


def invited_arbiter(game: Game, user: User | None = None) -> ArbiterInvitation:
    """An invitation to rule on a disputed game, which the account has accepted, if one is given."""
    invitation, _ = arbiter_invite(game=known_games().get(pk=game.pk), actor=Actor())
    if user is not None:
        arbiter_accept(invitation=invitation, user=user, close_to=[0], actor=Actor(user.pk))
    return invitation
