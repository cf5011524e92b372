"""A club with a season of games, and a program that may enter them."""

from uuid import uuid4

import pytest

from league import jobs
from league.clubs.services.key import key_create
from league.frame.cache import Cache
from league.models import Club, Role, Season, User
from tests.factories.league import ClubFactory, MembershipFactory, SeasonFactory, UserFactory


@pytest.fixture(autouse=True)
def _redis_is_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test waits until Redis is asked again, because in another one it was away."""
    monkeypatch.setattr(Cache, "away_until", 0.0)
    monkeypatch.setattr(jobs, "_away_until", 0.0)


@pytest.fixture(autouse=True)
def _nothing_is_cached(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test finds what another one has put into the cache, which all of a run share."""
    test = uuid4()
    monkeypatch.setattr(Cache, "make_key", lambda self, key, version=None: f"{test}:{key}")


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
