"""A case of each kind that waits, and two arbiters who can decide it."""

from __future__ import annotations

import pytest

from games.models import Game
from league.disputes.reminder.models import DisputeCase
from league.models import Role, User
from tests.factories.league import UserFactory
from tests.league.disputes.reminder.cases import CASES, CaseLaws, member


@pytest.fixture(params=CASES)
def laws(request: pytest.FixtureRequest) -> CaseLaws:
    """What tests know of a kind of case: one kind after the other."""
    return CASES[request.param]


@pytest.fixture
def second(played: Game) -> User:
    """Another arbiter who didn't sit there."""
    return member(played, Role.ARBITER, UserFactory.create(username="second"))


@pytest.fixture
def case(laws: CaseLaws, played: Game, ruler: User, second: User) -> DisputeCase:
    """A case that waits."""
    return laws.begin(played, ruler)
