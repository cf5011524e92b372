"""What came too late to stand on a sheet objects to the game that was sealed from it, if it says
something else."""

from typing import Any
from uuid import uuid4

import pytest

from engine.sheet.entry import stored_entry
from games.models import Device
from games.services.open_game import Writer, entry_add
from league.core.log.services import Actor
from league.models import Event, Objection, Player, Table, User
from league.sheets.branch.services import table_branch_keep
from league.sheets.device.services.device import device_make
from tests.factories.league import UserFactory
from tests.factories.sheets import Scorer
from tests.league.night import _same_chance, season
from tests.league.sheets.conftest import table

__all__ = ["_same_chance", "season", "table"]

pytestmark = pytest.mark.django_db

LOST = {"losses": [0, 1, 0, 0]}


@pytest.fixture
def scorer(table: Table) -> Scorer:
    """A game that was written and sealed: its first round is `LOST`."""
    scorer = Scorer(table)
    entry = stored_entry("close", LOST)
    writer = Writer(automatic="hare")
    entry_add(
        open_game=scorer.row.open_game.public_id, length=0, entry=entry, writer=writer, key=uuid4()
    )
    scorer.finish()
    scorer.seal()
    return scorer


def sitter(table: Table, seat: int) -> User:
    """Somebody with an account who sits at the table, counted from 0."""
    user: User = UserFactory.create()
    Player.objects.filter(entries__seats__table=table, entries__seats__seat=seat).update(user=user)
    return user


def phone_of(table: Table, account: User | None) -> Writer:
    device, _ = device_make(subject=table, actor=Actor(account.pk if account else None))
    assert isinstance(device, Device)
    return Writer(device=(device.pk, device.public_id))


def late(scorer: Scorer, writer: Writer, value: dict[str, Any], key: Any = None) -> None:
    """A round that somebody wrote as the first one, and that comes now."""
    entries = [{"key": str(uuid4()), "act": "close", "value": value, "at": "2026-11-25T19:30:00Z"}]
    table_branch_keep(row=scorer.row, after=0, entries=entries, writer=writer, key=key or uuid4())


def test_another_round_from_the_phone_of_who_sits_there_is_an_objection_of_that_seat(
    table: Table, scorer: Scorer
) -> None:
    account = sitter(table, 2)
    for _ in range(2):
        late(scorer, phone_of(table, account), {"losses": [0, 0, 1, 0]})
    objection = Objection.objects.get()
    assert (objection.seat, objection.role, objection.raised_by) == (2, "player", account)
    assert objection.word == "The phone at this seat recorded something else."


def test_the_account_itself_objects_as_well(table: Table, scorer: Scorer) -> None:
    account = sitter(table, 1)
    late(scorer, Writer(account=(account.pk, account.public_id)), {"losses": [0, 0, 1, 0]})
    assert Objection.objects.get().seat == 1


def test_what_says_the_same_and_who_sits_nowhere_objects_to_nothing(
    table: Table, scorer: Scorer
) -> None:
    late(scorer, phone_of(table, sitter(table, 2)), LOST)
    late(scorer, phone_of(table, None), {"losses": [0, 0, 1, 0]})
    late(scorer, phone_of(table, UserFactory.create()), {"losses": [0, 0, 1, 0]})
    assert not Objection.objects.exists()


def test_where_objections_are_not_taken_it_is_kept_beside_the_sheet_alone(
    table: Table, scorer: Scorer
) -> None:
    Event.objects.update(objection_hours=0)
    late(scorer, phone_of(table, sitter(table, 2)), {"losses": [0, 0, 1, 0]})
    assert not Objection.objects.exists()
    assert scorer.row.open_game.sheet.branches.count() == 1
