"""Whatever a service changes of who writes at a table, and of games that are written there, the
club's log tells."""

import pytest

from league.core.log.ledger import ledger_differences
from league.models import LogEntry, Table
from tests.league.sheets.sheet.logged import LOGGED

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("name", LOGGED)
def test_what_a_service_changes_stands_in_the_log(table: Table, name: str) -> None:
    club = table.stage_round.stage.event.club
    before = LogEntry.objects.filter(club=club).count()
    change, actions = LOGGED[name]
    change(table)
    new = LogEntry.objects.filter(club=club).order_by("position")[before:]
    assert [entry.action for entry in new] == actions
    assert list(ledger_differences(club.pk)) == [], "the log tells all that rows hold"
