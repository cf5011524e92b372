"""What calls and rulings write in the club's log."""

import pytest

from league.core.log.ledger import ledger_differences
from league.models import LogEntry, Table
from tests.league.disputes.call.logged import LOGGED

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("name", LOGGED)
def test_what_a_service_does_stands_in_the_log(table: Table, name: str) -> None:
    club = table.stage_round.stage.event.club
    before = LogEntry.objects.filter(club=club).count()
    change, actions = LOGGED[name]
    change(table)
    new = LogEntry.objects.filter(club=club).order_by("position")[before:]
    assert [entry.action for entry in new if entry.action.startswith("call.")] == actions
    assert list(ledger_differences(club.pk)) == []
