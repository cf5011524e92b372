"""How calls for the arbiter stand in the club's log, for tests/league/test_logging.py."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final
from uuid import uuid4

from games.services.open_game import Writer
from league.core.log.actions import Action
from league.disputes.call.actions import CallAction
from league.disputes.call.services import call_make, call_rule, call_take_back
from league.models import Role, Table, TableOpenGame
from league.sheets.sheet.services.open_game import table_game_open
from tests.factories.league import MembershipFactory, UserFactory

HARE: Final = Writer(automatic="hare")


def called(table: Table) -> TableOpenGame:
    """An open game whose table calls the arbiter."""
    row = table_game_open(table=table)
    call_make(row=row, writer=HARE, key=uuid4())
    return row


def taken_back(table: Table) -> object:
    """A call that is taken back."""
    return call_take_back(row=called(table), writer=HARE, key=uuid4())


def ruled(table: Table) -> object:
    """A call that an arbiter has answered."""
    row = called(table)
    user = MembershipFactory.create(
        club=row.club, role=Role.ARBITER, user=UserFactory.create()
    ).user
    ruler = Writer(account=(user.pk, user.public_id))
    return call_rule(row=row, call=0, case="other", decision="play_on", ruler=ruler, key=uuid4())


LOGGED: Final[dict[str, tuple[Callable[[Table], object], list[Action]]]] = {
    "disputes.call.call_make": (called, [CallAction.MADE]),
    "disputes.call.call_take_back": (taken_back, [CallAction.MADE, CallAction.TAKEN_BACK]),
    "disputes.call.call_rule": (ruled, [CallAction.MADE, CallAction.RULED]),
}
"""Whatever is said to the arbiter, and by the arbiter, the club's log tells."""
