"""Standing orders of Lügen-Kniffel: believing up to so many points, told to nobody. Ruling K16."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from engine.illegal import Refused
from games.models import HiddenAct, SheetEntry
from league.models import Club, OnlineTable, StandingOrder
from league.play.standing_order.services import order_give, order_withdraw
from league.site.own_data.queries import own_data
from tests.league.play.online_table.kniffel import (
    act,
    announce,
    answer,
    kniffel_table,
    opened,
    page_of,
    sheet_of,
)
from tests.league.play.online_table.test_secrecy import without_keys

pytestmark = pytest.mark.django_db
BELIEVE = StandingOrder.OrderKind.BELIEVE


@pytest.fixture
def table(club: Club) -> OnlineTable:
    return opened(club)


def order(table: OnlineTable, seat: int, points: int | None = 20, **more: Any) -> StandingOrder:
    fields = {"kind": BELIEVE, "points": points} | more
    return order_give(table=table, seat=table.seats.get(number=seat), **fields)


def seats(table: OnlineTable) -> tuple[int, int, int]:
    """The roller, and the two who listen."""
    roller = sheet_of(table).roller
    assert roller is not None
    first, second = sheet_of(table).listeners
    return roller, first, second


def answers(table: OnlineTable) -> list[int]:
    """The seats that have answered, in their order."""
    return [
        json.loads(value)["seat"]
        for value in SheetEntry.objects.filter(act="answer").values_list("value", flat=True)
    ]


def test_an_order_answers_once_all_others_have_answered(table: OnlineTable) -> None:
    clients = kniffel_table(table, guests=2)
    _, first, second = seats(table)
    order(table, first)
    announce(table, clients, "chance=20")
    assert answers(table) == []
    answer(table, clients[second], "doubt")
    assert answers(table) == [second, first]
    assert not StandingOrder.objects.exists(), "it is used up"
    played = json.loads(SheetEntry.objects.get(act="reveal").value)["round"]
    assert played["doubts"] == [second]


def test_orders_of_all_who_are_asked_answer_at_once(table: OnlineTable) -> None:
    clients = kniffel_table(table, guests=2)
    _, first, second = seats(table)
    order(table, first, always=True)
    order(table, second, 25)
    announce(table, clients, "chance=20")
    assert answers(table) == [first, second]
    assert [each.seat.number for each in StandingOrder.objects.all()] == [first], (
        "it holds for all turns"
    )


def test_above_the_points_the_player_answers(table: OnlineTable) -> None:
    clients = kniffel_table(table, guests=1)
    roller = sheet_of(table).roller
    listener = 1 - (roller or 0)
    order(table, listener, 19)
    announce(table, clients, "chance=20")
    assert answers(table) == []
    assert sheet_of(table).to_act == (listener,)


def test_nobody_sees_an_order_nor_whether_it_will_answer(table: OnlineTable) -> None:
    clients = kniffel_table(table, guests=2)
    roller, first, second = seats(table)
    others = [clients[roller], clients[second], Client()]
    order(table, first, 19)
    announce(table, clients, "chance=20")
    asked = [without_keys(page_of(table, client)) for client in others]
    own = without_keys(page_of(table, clients[first]))
    StandingOrder.objects.update(points=20)
    assert [without_keys(page_of(table, client)) for client in others] == asked
    assert without_keys(page_of(table, clients[first])) != own
    StandingOrder.objects.all().delete()
    assert [without_keys(page_of(table, client)) for client in others] == asked


def test_a_player_can_still_answer_otherwise(table: OnlineTable) -> None:
    clients = kniffel_table(table, guests=2)
    _, first, _ = seats(table)
    order(table, first)
    announce(table, clients, "chance=20")
    assert "Your standing order is to believe this" in page_of(table, clients[first])
    answer(table, clients[first], "doubt")
    (hidden,) = HiddenAct.objects.filter(act="answer").values_list("value", flat=True)
    assert json.loads(hidden)["doubt"]


def test_an_order_of_one_turn_does_nothing_in_the_next(table: OnlineTable) -> None:
    clients = kniffel_table(table, guests=2)
    _, first, second = seats(table)
    order(table, first, 5)
    announce(table, clients, "chance=20")
    for seat in (first, second):
        answer(table, clients[seat], "believe")
    assert "Withdraw" not in page_of(table, clients[first])


def test_whoever_has_answered_orders_for_the_next_turn(table: OnlineTable) -> None:
    clients = kniffel_table(table, guests=2)
    roller, first, second = seats(table)
    announce(table, clients, "chance=20")
    answer(table, clients[first], "believe")
    assert order(table, first).round == 2
    assert order(table, roller).round == 2
    assert "in the next turn" in page_of(table, clients[roller])
    answer(table, clients[second], "believe")
    assert "in this turn" in page_of(table, clients[roller])


@pytest.mark.parametrize(
    ("points", "more", "code"),
    [
        (None, {}, "bad_record"),
        (-1, {}, "bad_record"),
        (51, {}, "bad_record"),
        (None, {"kind": "challenge", "bid": "4x4"}, "bad_record"),
    ],
)
def test_what_cant_be_ordered_says_why(
    table: OnlineTable, points: int | None, more: dict[str, Any], code: str
) -> None:
    kniffel_table(table, guests=2)
    _, first, _ = seats(table)
    with pytest.raises(Refused) as refused:
        order(table, first, points, **more)
    assert refused.value.illegal.code == code
    assert not StandingOrder.objects.exists()


def test_a_seat_to_act_and_one_that_has_left_order_nothing(table: OnlineTable) -> None:
    clients = kniffel_table(table, guests=2)
    roller, first, second = seats(table)
    act(table, clients[second], "leave")
    for seat, code in ((roller, "own_turn"), (second, "wrong_seat")):
        with pytest.raises(Refused) as refused:
            order(table, seat)
        assert refused.value.illegal.code == code
    announce(table, clients, "chance=20")
    with pytest.raises(Refused) as refused:
        order(table, first)
    assert refused.value.illegal.code == "own_turn"


def test_a_seat_orders_on_its_page(table: OnlineTable) -> None:
    clients = kniffel_table(table, guests=2)
    _, first, _ = seats(table)
    address = reverse("standing-order-give", args=[table.public_id])
    for wrong in ({"points": "<b>"}, {"points": "999999999999"}, {}):
        page = clients[first].post(address, wrong, follow=True).content.decode()
        assert "up to how many points" in page
    assert not StandingOrder.objects.exists()
    page = (
        clients[first].post(address, {"points": "20", "always": "on"}, follow=True).content.decode()
    )
    assert "Believe up to 20 points" in page
    assert "in every turn" in page
    assert Client().post(address, {"points": "20"}).status_code == 404
    order_withdraw(seat=table.seats.get(number=first), kind=BELIEVE)
    assert "Believe up to 20 points" not in page_of(table, clients[first])


def test_an_account_takes_its_own_orders_along(table: OnlineTable) -> None:
    kniffel_table(table, guests=2)
    host = table.seats.get(number=0)
    if sheet_of(table).roller == 0:
        act(table, _client(host), "roll")
        act(table, _client(host), "announce", say="chance=20")
    order(table, 0, 17)
    assert host.user is not None
    orders = json.dumps(own_data(host.user), default=str)
    assert '"points": 17' in orders


def _client(seat: Any) -> Client:
    client = Client()
    client.force_login(seat.user)
    return client
