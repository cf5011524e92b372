"""What tests of watching have: a table, and somebody who writes its game down."""

from __future__ import annotations

import pytest

from games.models.game import Kind
from league.models import Club, Table
from league.standings.season.models import Notes
from tests.factories.league import SeasonFactory
from tests.factories.sheets import Scorer
from tests.league.sheets.conftest import first_table


@pytest.fixture
def scorer(table: Table) -> Scorer:
    """Somebody who has opened the table's game."""
    return Scorer(table)


@pytest.fixture
def kniffel_table(club: Club) -> Table:
    """A table at which Lügen-Kniffel is played."""
    season = SeasonFactory.create(
        club=club, kind=Kind.LUEGEN_KNIFFEL, scoring="totals", notes=Notes.POINTS, rules={}
    )
    return first_table(season, "k")
