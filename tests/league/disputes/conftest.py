"""A game of an evening to whose result its seats can object, and people who sat there or rule on
it."""

from __future__ import annotations

import pytest

from games.models import Game
from league.models import Club, Player, Role, Season, User
from tests.factories import events
from tests.factories.league import MembershipFactory, SeasonFactory, UserFactory
from tests.league.stages.result.test_result import published


@pytest.fixture
def evening(club: Club) -> Season:
    """A season with one event, of which the first round is played at two tables."""
    season: Season = SeasonFactory.create(club=club, slug="evenings", scoring="placement")
    events.play(published(season).stage_rounds.get())
    return season


@pytest.fixture
def played(evening: Season) -> Game:
    """A game of that evening, with its season and club."""
    games = Game.objects.select_related("season_game__season__club", "season_game__season__ranking")
    return games.filter(season_game__season=evening).earliest("pk")


@pytest.fixture
def sitters(played: Game) -> list[User]:
    """The accounts of those who sat there, by the order of seats."""
    users: list[User] = []
    for seat in played.seats.order_by("number"):
        users.append(UserFactory.create(username=f"sat-{seat.number}"))
        Player.objects.filter(handle=seat.handle).update(user=users[-1])
    return users


@pytest.fixture
def ruler(club: Club) -> User:
    """An arbiter who didn't sit there."""
    return MembershipFactory.create(
        club=club, role=Role.ARBITER, user=UserFactory.create(username="ruler")
    ).user
