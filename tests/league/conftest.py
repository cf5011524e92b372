"""A club with a season of games, and a program that may enter them."""

import pytest

from league.clubs.services.key import key_create
from league.models import Club, Role, Season, User
from tests.factories.league import ClubFactory, MembershipFactory, SeasonFactory, UserFactory


@pytest.fixture
def club(db: None) -> Club:
    return ClubFactory.create(slug="stern")


@pytest.fixture
def season(club: Club) -> Season:
    return SeasonFactory.create(club=club, slug="autumn")


@pytest.fixture
def scorer(club: Club) -> User:
    return MembershipFactory.create(club=club, user=UserFactory.create(username="scorer"), role=Role.SCORER).user


@pytest.fixture
def secret(club: Club, scorer: User) -> str:
    """The secret of a key that may enter the club's games."""
    return key_create(club=club, user=scorer, label="table tablet")[1]
