"""Jobs and players at the same turn in the same moment: each thing happens once."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import connection
from django.db.models import F
from django.utils import timezone

from engine.illegal import Refused
from games.models import Game, SheetEntry
from games.services.open_game import Overtaken
from league.models import Club, Notice, OnlineTable, OnlineTurn, Role
from league.notices.notice.services.turn import turn_notice_make
from league.play.online_table.services.game import table_act, turn_end
from league.play.online_table.services.lobby import online_table_open, seat_take, table_start
from tests.factories.league import MembershipFactory, UserFactory
from tests.league.play.online_table.test_game import RULES, SETTINGS

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def table(club: Club) -> OnlineTable:
    user = MembershipFactory.create(club=club, role=Role.SCORER).user
    table = online_table_open(
        club=club, user=user, rules=RULES, settings=SETTINGS | {"move_days": 1}
    )
    seat_take(table=table, user=UserFactory.create(), name="")
    return table_start(table=table)


def passes(days: float) -> None:
    """Let so much time have passed since the turn began."""
    ago = timedelta(days=days)
    times = {
        name: F(name) - ago for name in ("begun_at", "tell_at", "remind_at", "ends_at", "next_at")
    }
    OnlineTurn.objects.update(**times)


def at_once(first: Callable[[], object], second: Callable[[], object]) -> list[object]:
    def done(do: Callable[[], object]) -> object:
        try:
            return do()
        except (Overtaken, Refused):
            return False
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(done, [first, second]))


def test_two_jobs_tell_a_turn_once(table: OnlineTable) -> None:
    passes(0.1)
    seat = OnlineTurn.objects.get(table=table).seat_id
    ends = at_once(
        lambda: turn_notice_make(seat_id=seat),
        lambda: turn_notice_make(seat_id=seat),
    )
    assert sorted(map(bool, ends)) == [False, True]
    assert Notice.objects.count() == 1


def test_two_jobs_end_a_turn_once(table: OnlineTable) -> None:
    passes(1)
    OnlineTurn.objects.update(reminded_at=timezone.now() - timedelta(days=1))
    seat = OnlineTurn.objects.get(table=table).seat_id
    ends = at_once(lambda: turn_end(seat_id=seat), lambda: turn_end(seat_id=seat))
    assert sorted(map(bool, ends)) == [False, True]
    assert SheetEntry.objects.filter(act="timeout").count() == 1
    assert Game.objects.count() == 1


def test_a_move_in_the_last_moment_stands_or_the_turn_ends_and_never_both(
    table: OnlineTable,
) -> None:
    passes(1)
    OnlineTurn.objects.update(reminded_at=timezone.now() - timedelta(days=1))
    seat = OnlineTurn.objects.get().seat
    ends = at_once(
        lambda: turn_end(seat_id=seat.pk),
        lambda: table_act(
            table=table, seat=seat, act="bid", value={"bid": "2x3"}, length=0, key=uuid4()
        ),
    )
    assert sorted(map(bool, ends)) == [False, True]
    assert SheetEntry.objects.filter(act__in=("timeout", "bid")).count() == 1
