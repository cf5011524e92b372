"""A table of an event that is written down by a phone, and people who rule there."""

from __future__ import annotations

import pytest

from games.services.open_game import Writer
from league.core.log.services import Actor
from league.models import Club, Role, Table, TableOpenGame, User
from league.sheets.device.services.device import device_make
from league.sheets.sheet.services.open_game import table_game_open
from tests.factories.league import MembershipFactory, UserFactory
from tests.league.night import _same_chance, season
from tests.league.sheets.conftest import first_table

__all__ = ["_same_chance", "season"]


@pytest.fixture
def table(season: object) -> Table:
    """A table of a published round."""
    return first_table(season)  # type: ignore[arg-type]


@pytest.fixture
def club_here(table: Table) -> Club:
    """The club that plays there."""
    return table.stage_round.stage.event.club


@pytest.fixture
def phone(table: Table) -> Writer:
    """A phone that writes for the table."""
    device, _ = device_make(subject=table, actor=Actor())
    return Writer(device=(device.pk, device.public_id))


@pytest.fixture
def row(table: Table, phone: Writer) -> TableOpenGame:
    """The game of the table that is being written down."""
    return table_game_open(table=table, opener=phone)


@pytest.fixture
def arbiter(club_here: Club) -> User:
    """An arbiter of the club who doesn't sit there."""
    user = UserFactory.create(username="arbiter")
    return MembershipFactory.create(club=club_here, role=Role.ARBITER, user=user).user


@pytest.fixture
def ruler(arbiter: User) -> Writer:
    """The same, as one who writes on sheets."""
    return Writer(account=(arbiter.pk, arbiter.public_id))
