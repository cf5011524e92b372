"""What every test of open games has: a table of four at a night that is played."""

from typing import Any

import pytest

from league.models import Event, Season, Table
from tests.factories import events
from tests.league.floor.api.conftest import asker
from tests.league.night import _same_chance, desk, organiser, season

__all__ = ["_same_chance", "desk", "organiser", "season"]


@pytest.fixture
def table(season: Season) -> Table:
    """A table of a published round."""
    return first_table(season)


def first_table(season: Season, prefix: str = "p", slug: str = "night-1") -> Table:
    """The first table of the first round of a new event of eight players."""
    night = events.event(season, slug, status=Event.Status.RUNNING)
    events.crowd(night, 8, prefix)
    stage = events.stage(night)
    events.drawn(stage)
    tables = Table.objects.select_related("group", "stage_round__stage__event__season__ranking")
    return tables.get(stage_round__stage=stage, number=1)


@pytest.fixture
def look() -> Any:
    """Ask as nobody."""
    return asker("")
