"""More time at an online table: one seat gives it to another, once for a move."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from league.models import Club, OnlineSeat, OnlineTable, Role
from league.play.online_table.queries import deadline_of
from league.play.online_table.services.clock import MOST_BANK, SECONDS_GIVEN
from league.play.online_table.services.lobby import automatic_sit, online_table_open
from tests.factories.league import MembershipFactory
from tests.league.play.online_table.test_game import (
    RULES,
    SETTINGS,
    act,
    game_of,
    guest_at,
    host_of,
    page_of,
    started,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(club: Club) -> OnlineTable:
    user = MembershipFactory.create(club=club, role=Role.SCORER).user
    return online_table_open(club=club, user=user, rules=RULES, settings=SETTINGS)


def give(table: OnlineTable, client: Client, length: object = 0) -> int:
    answer = client.post(
        reverse("online-table-more-time", args=[table.public_id]), {"length": length}
    )
    return answer.status_code


def bank_of(table: OnlineTable, number: int) -> int:
    return OnlineSeat.objects.get(table=table, number=number).bank


def test_a_seat_gives_the_one_to_act_a_minute_once_for_each_move(table: OnlineTable) -> None:
    clients = [host_of(table), guest_at(table)]
    turn = game_of(started(table)).sheet.round.turn
    other = clients[1 - turn]
    before = bank_of(table, turn)
    row = game_of(table).row
    assert "60 more seconds" in page_of(table, other)
    give(table, other)
    assert bank_of(table, turn) == before + SECONDS_GIVEN
    waited = deadline_of(table, row, bank_of(table, turn)) - deadline_of(table, row, before)
    assert waited.total_seconds() == SECONDS_GIVEN
    assert "more-time" not in page_of(table, other)
    give(table, other)
    assert bank_of(table, turn) == before + SECONDS_GIVEN, "once for a move"
    act(table, clients[turn], "bid", field="3", face="4")
    give(table, clients[turn], length=0)
    assert bank_of(table, 1 - turn) == before, "not for a move that is over"
    give(table, clients[turn], length=1)
    assert bank_of(table, 1 - turn) == before + SECONDS_GIVEN


def test_nobody_gives_time_to_themselves_or_without_a_seat(table: OnlineTable) -> None:
    clients = [host_of(table), guest_at(table)]
    turn = game_of(started(table)).sheet.round.turn
    before = bank_of(table, turn)
    assert "more-time" not in page_of(table, clients[turn])
    assert "more-time" not in page_of(table, Client())
    give(table, clients[turn])
    assert give(table, Client()) == 404
    for length in ("", "-1", "x", "9" * 400):
        give(table, clients[1 - turn], length=length)
    assert bank_of(table, turn) == before


def test_time_is_given_in_play_alone_and_there_is_a_most(table: OnlineTable) -> None:
    clients = [host_of(table), guest_at(table)]
    automatic_sit(table=table, strength="easy")
    assert give(table, clients[1]) == 302
    turn = game_of(started(table)).sheet.round.turn
    OnlineSeat.objects.update(bank=MOST_BANK - 1)
    give(table, clients[1 - turn], length=game_of(table).row.length)
    assert bank_of(table, turn) == MOST_BANK
    act(table, clients[0], "leave")
    act(table, clients[1], "leave")
    table.refresh_from_db()
    assert give(table, clients[0]) == 302
    assert "more-time" not in page_of(table, clients[0])
