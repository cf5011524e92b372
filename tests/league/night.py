"""A season that counts places, in a club with an organiser who is signed in; and the same chance in
every run."""

from random import Random
from types import SimpleNamespace

import pytest
from django.test import Client

from league.models import Club, Season, User
from tests.factories.league import MembershipFactory, SeasonFactory, UserFactory


@pytest.fixture(autouse=True)
def _same_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draws hang on the public ids and the seeds of stages: what is drawn in a test is the same in
    every run."""
    chance = Random(1)
    ids = SimpleNamespace(choice=chance.choice)
    seeds = SimpleNamespace(token_hex=lambda size: chance.randbytes(size).hex())
    monkeypatch.setattr("games.models.public_id.secrets", ids)
    monkeypatch.setattr("league.stages.stage.models.secrets", seeds)


@pytest.fixture
def season(club: Club) -> Season:
    return SeasonFactory.create(club=club, slug="autumn", scoring="placement")


@pytest.fixture
def organiser(club: Club) -> User:
    return MembershipFactory.create(club=club, user=UserFactory.create(username="organiser")).user


@pytest.fixture
def desk(client: Client, organiser: User) -> Client:
    client.force_login(organiser)
    return client
