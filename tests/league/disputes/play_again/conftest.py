"""A game of an evening that was written down round by round, and is over."""

from __future__ import annotations

import pytest

from games.models import Game
from league.core.log.services import Actor
from league.models import Role, Season, Table
from tests.factories.league import MembershipFactory
from tests.factories.sheets import Scorer
from tests.league.disputes.play_again.playing import game_of
from tests.league.night import _same_chance, desk, organiser, season
from tests.league.sheets.conftest import first_table

__all__ = ["_same_chance", "desk", "organiser", "season"]
LOSERS = (1, 1, 2, 3, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3)
"""The seats that lose a die, round by round, until the first seat is left."""


@pytest.fixture
def table(season: Season) -> Table:
    """A table of a published round."""
    return first_table(season)


@pytest.fixture
def sealed(table: Table) -> Game:
    """Its game, round by round, with its season and club."""
    scorer = Scorer(table)
    for loser in LOSERS:
        scorer.lose(loser)
    scorer.seal()
    return game_of(table)


@pytest.fixture
def arbiter(table: Table) -> Actor:
    """An arbiter of the club who gives a reason."""
    club = table.stage_round.stage.event.club
    member = MembershipFactory.create(club=club, role=Role.ARBITER)
    return Actor(member.user_id, "A cup was lifted in round 3.")
