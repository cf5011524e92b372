"""Two who act at the same moment: one of them is first, and the other is told so."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection

from engine.illegal import Refused
from engine.sheet.entry import OnlineAct
from games.models import Game, SheetEntry
from games.services.open_game import Overtaken
from league.models import Club, OnlineSeat, OnlineTable, Role
from league.play.online_table.services.game import table_act
from league.play.online_table.services.lobby import online_table_open, seat_take, table_start
from tests.factories.league import MembershipFactory
from tests.league.play.online_table.kniffel import opened, sheet_of
from tests.league.play.online_table.test_game import RULES, SETTINGS, game_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def table(club: Club) -> OnlineTable:
    user = MembershipFactory.create(club=club, role=Role.SCORER).user
    table = online_table_open(club=club, user=user, rules=RULES, settings=SETTINGS)
    seat_take(table=table, user=None, name="Gust")
    return table_start(table=table)


def acted(table: OnlineTable, seat: OnlineSeat, act: str, bid: str = "") -> str:
    """What became of an act: `done`, or `too late`."""
    try:
        value = {"bid": bid} if bid else {}
        table_act(table=table, seat=seat, act=act, value=value, length=0, key=uuid4())  # type: ignore[arg-type]
    except (Overtaken, Refused):
        return "too late"
    finally:
        connection.close()
    return "done"


def test_of_two_devices_of_one_seat_one_bids_and_the_other_is_overtaken(table: OnlineTable) -> None:
    seat = table.seats.get(number=game_of(table).sheet.round.turn)
    with ThreadPoolExecutor(2) as pool:
        ends = list(pool.map(lambda bid: acted(table, seat, "bid", bid), ["2x3", "3x4"]))
    assert sorted(ends) == ["done", "too late"]
    assert SheetEntry.objects.count() == 1


def test_two_who_leave_at_once_end_the_game_once(table: OnlineTable) -> None:
    seats = list(table.seats.order_by("number"))
    with ThreadPoolExecutor(2) as pool:
        ends = list(pool.map(lambda seat: acted(table, seat, "leave"), seats))
    assert sorted(ends) == ["done", "too late"]
    assert Game.objects.count() == 1
    table.refresh_from_db()
    assert table.status == OnlineTable.Status.OVER


def test_k16_two_who_answer_at_once_are_both_heard_and_the_turn_is_closed_once(club: Club) -> None:
    table = opened(club)
    for name in ("Gust", "Third"):
        seat_take(table=table, user=None, name=name)
    table = table_start(table=table)
    seats = list(table.seats.order_by("number"))
    roller = sheet_of(table).to_act[0]
    done(table, seats[roller], "roll", {"keep": []})
    done(table, seats[roller], "announce", {"say": "chance=20"})
    asked = [seat for seat in seats if seat.number != roller]
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda seat: done(table, seat, "answer", {"turn": 0, "doubt": True}), asked))
    assert SheetEntry.objects.filter(act="answer").count() == 2
    reveal = SheetEntry.objects.get(act="reveal")
    assert json.loads(reveal.value)["round"]["doubts"] == [seat.number for seat in asked]


def done(table: OnlineTable, seat: OnlineSeat, act: OnlineAct, value: dict[str, Any]) -> None:
    """Let a seat act, whatever others did meanwhile."""
    try:
        table_act(table=table, seat=seat, act=act, value=value, length=None, key=uuid4())
    finally:
        connection.close()
