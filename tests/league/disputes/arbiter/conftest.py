"""A game that is disputed, and somebody from outside who could rule on it."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from games.models import Game
from league.core.log.services import Actor
from league.disputes.arbiter.services import arbiter_accept, arbiter_assent, arbiter_invite
from league.disputes.objection.services import objection_raise
from league.models import ArbiterInvitation, User
from tests.factories.league import UserFactory


class Invited(NamedTuple):
    """An invitation to rule, with the token of its link."""

    invitation: ArbiterInvitation
    token: str


@pytest.fixture
def disputed(played: Game, sitters: list[User]) -> Game:
    """The game, to whose result its second seat objects; everybody there has an account."""
    objection_raise(
        game=played, seat=1, word="The last die was a star.", actor=Actor(sitters[1].pk)
    )
    return played


@pytest.fixture
def outsider() -> User:
    """Somebody without a role in the club, who sat nowhere."""
    user: User = UserFactory.create(username="outsider")
    return user


@pytest.fixture
def invited(disputed: Game, sitters: list[User]) -> Invited:
    """An invitation that the first seat made."""
    return Invited(*arbiter_invite(game=disputed, actor=Actor(sitters[0].pk)))


@pytest.fixture
def accepted(invited: Invited, outsider: User) -> ArbiterInvitation:
    """The same once somebody from outside accepted it, who is close to the third seat."""
    accept(invited.invitation, outsider, close_to=[2])
    return ArbiterInvitation.objects.get(pk=invited.invitation.pk)


@pytest.fixture
def agreed(accepted: ArbiterInvitation, sitters: list[User]) -> ArbiterInvitation:
    """The same once every seat has agreed."""
    for seat, user in enumerate(sitters):
        arbiter_assent(invitation=accepted, seat=seat, actor=Actor(user.pk))
    return accepted


def accept(invitation: ArbiterInvitation, user: User, close_to: list[int] | None = None) -> None:
    """Accept an invitation as an account."""
    arbiter_accept(invitation=invitation, user=user, close_to=close_to or [], actor=Actor(user.pk))
