"""Standing orders: what a seat will do when its turn comes, known to nobody else before it
happens."""

from __future__ import annotations

import json

import pytest
from django.test import Client
from django.urls import reverse

from engine.illegal import Refused
from games.models import SheetEntry
from league.core.log.services import Actor
from league.models import Club, OnlineSeat, OnlineTable, Role, StandingOrder
from league.play.online_table.services.lobby import online_table_open, seat_take, table_start
from league.play.standing_order.services import order_give, order_withdraw
from league.site.erasure.services.erasure import player_erase
from league.site.own_data.queries import own_data
from tests.factories.league import MembershipFactory, PlayerFactory
from tests.league.play.online_table.test_game import RULES, SETTINGS, act, game_of, page_of

pytestmark = pytest.mark.django_db
CHALLENGE = StandingOrder.OrderKind.CHALLENGE
RAISE = StandingOrder.OrderKind.RAISE


class Playing:
    """A table of people, counted from the one whose turn it is at first."""

    def __init__(self, club: Club, guests: tuple[str, ...] = ("Gust", "Gerda")) -> None:
        user = MembershipFactory.create(club=club, role=Role.SCORER).user
        self.table = online_table_open(club=club, user=user, rules=RULES, settings=SETTINGS)
        host = Client()
        host.force_login(user)
        clients = [host]
        for name in guests:
            client = Client()
            client.post(reverse("online-table-sit", args=[self.table.public_id]), {"name": name})
            clients.append(client)
        self.table = table_start(table=self.table)
        turn = game_of(self.table).sheet.round.turn
        order = [(turn + step) % len(clients) for step in range(len(clients))]
        self.clients = [clients[number] for number in order]
        self.seats = [self.table.seats.get(number=number) for number in order]

    def order(self, place: int, kind: str, bid: str, always: bool = False) -> StandingOrder:
        return order_give(
            table=self.table, seat=self.seats[place], kind=kind, bid=bid, always=always
        )

    def bid(self, place: int, bid: str) -> None:
        act(self.table, self.clients[place], "bid", typed=bid)

    def leave(self, place: int) -> None:
        act(self.table, self.clients[place], "leave")

    def acts(self) -> list[tuple[str, int | None, str]]:
        """What the sheet tells of acts: which, of which seat, and the bid."""
        numbers = {seat.number: place for place, seat in enumerate(self.seats)}
        rows = (
            SheetEntry.objects.exclude(act="reveal")
            .order_by("number")
            .values_list("act", "seat", "value")
        )
        return [
            (name, numbers.get(seat or 0), json.loads(value).get("bid", ""))
            for name, seat, value in rows
        ]


@pytest.fixture
def playing(club: Club) -> Playing:
    return Playing(club)


def test_a_challenge_comes_as_soon_as_a_bid_stands_at_or_above_the_ordered_one(
    playing: Playing,
) -> None:
    playing.order(1, CHALLENGE, "4x4")
    playing.bid(0, "4x4")
    assert playing.acts() == [("bid", 0, "4x4"), ("challenge", 1, "")]
    assert not StandingOrder.objects.exists(), "it is used up"


def test_below_the_ordered_bid_the_player_acts(playing: Playing) -> None:
    playing.order(1, CHALLENGE, "4x4")
    playing.bid(0, "4x3")
    assert playing.acts() == [("bid", 0, "4x3")]
    assert StandingOrder.objects.count() == 1


def test_a_bid_that_was_ordered_is_made_if_it_raises(playing: Playing) -> None:
    playing.order(1, RAISE, "5x2")
    playing.bid(0, "4x3")
    assert playing.acts() == [("bid", 0, "4x3"), ("bid", 1, "5x2")]


def test_one_order_after_the_other_acts_in_one_transaction(playing: Playing) -> None:
    playing.order(1, RAISE, "5x2")
    playing.order(2, CHALLENGE, "5x1")
    playing.bid(0, "4x3")
    assert playing.acts() == [("bid", 0, "4x3"), ("bid", 1, "5x2"), ("challenge", 2, "")]


def test_a_challenge_comes_before_a_raise(playing: Playing) -> None:
    playing.order(1, RAISE, "9x2")
    playing.order(1, CHALLENGE, "5x1")
    playing.bid(0, "5x1")
    assert playing.acts()[1] == ("challenge", 1, "")


def test_an_order_that_cant_act_ends_and_only_its_owner_is_told(playing: Playing) -> None:
    playing.order(1, RAISE, "5x2")
    playing.bid(0, "6x1")
    assert playing.acts() == [("bid", 0, "6x1")]
    assert "was no longer a raise" in page_of(playing.table, playing.clients[1])
    for other in (playing.clients[0], playing.clients[2], Client()):
        assert "was no longer a raise" not in page_of(playing.table, other)
    playing.bid(1, "6x2")
    assert "was no longer a raise" not in page_of(playing.table, playing.clients[1]), (
        "put away by the own act"
    )


def test_an_order_ends_with_the_round_unless_it_holds_for_all(club: Club) -> None:
    playing = Playing(club, guests=("Gust", "Gerda", "Gisa"))
    playing.order(3, CHALLENGE, "9x4")
    playing.leave(1)
    assert "Withdraw" not in page_of(playing.table, playing.clients[3])
    playing.order(3, CHALLENGE, "9x4", always=True)
    playing.leave(2)
    assert "in every round" in page_of(playing.table, playing.clients[3])
    playing.bid(0, "9x4")
    assert playing.acts()[-1] == ("challenge", 3, "")
    playing.table.refresh_from_db()
    is_over = playing.table.status == OnlineTable.Status.OVER
    assert StandingOrder.objects.exists() != is_over, "it holds on to the end of the game"


def test_an_own_act_ends_the_order_to_raise(playing: Playing) -> None:
    playing.order(1, RAISE, "9x2")
    playing.leave(1)
    assert not StandingOrder.objects.exists()


def test_a_seat_changes_and_withdraws_its_order(playing: Playing) -> None:
    playing.order(1, CHALLENGE, "4x4")
    playing.order(1, CHALLENGE, "9x4")
    order_withdraw(seat=playing.seats[2], kind=CHALLENGE)
    assert StandingOrder.objects.get().bid == "9x4"
    order_withdraw(seat=playing.seats[1], kind=CHALLENGE)
    order_withdraw(seat=playing.seats[1], kind=CHALLENGE)
    playing.bid(0, "9x4")
    assert playing.acts() == [("bid", 0, "9x4")]


@pytest.mark.parametrize(
    ("place", "kind", "bid", "code"),
    [
        (0, CHALLENGE, "4x4", "own_turn"),
        (1, CHALLENGE, "99x4", "bad_record"),
        (1, CHALLENGE, "3x4/4", "bad_record"),
    ],
)
def test_what_cant_be_ordered_says_why(
    playing: Playing, place: int, kind: str, bid: str, code: str
) -> None:
    with pytest.raises(Refused) as refused:
        playing.order(place, kind, bid)
    assert refused.value.illegal.code == code
    assert not StandingOrder.objects.exists()


def test_a_bid_that_doesnt_raise_now_cant_be_ordered(playing: Playing) -> None:
    playing.bid(0, "4x4")
    with pytest.raises(Refused) as refused:
        playing.order(2, RAISE, "4x4")
    assert refused.value.illegal.code == "not_a_raise"


def test_a_seat_orders_on_its_page_and_a_spectator_cant(playing: Playing) -> None:
    address = reverse("standing-order-give", args=[playing.table.public_id])
    form = {"kind": "challenge", "count": "9", "face": "4", "always": "on"}
    assert Client().post(address, form).status_code == 404
    playing.clients[1].post(address, form)
    order = StandingOrder.objects.get()
    assert (order.seat, order.bid, order.always) == (playing.seats[1], "9x4", True)
    playing.clients[1].post(address, {"kind": "challenge", "count": "9", "face": "<"})
    playing.clients[1].post(address, {"kind": "nothing", "count": "9", "face": "4"})
    assert StandingOrder.objects.count() == 1
    playing.clients[1].post(
        reverse("standing-order-withdraw", args=[playing.table.public_id]), {"kind": "challenge"}
    )
    assert not StandingOrder.objects.exists()


def test_the_orders_of_a_game_that_is_over_are_gone(playing: Playing) -> None:
    playing.order(1, CHALLENGE, "9x4", always=True)
    playing.leave(0)
    playing.leave(2)
    playing.table.refresh_from_db()
    assert playing.table.status == OnlineTable.Status.OVER
    assert not StandingOrder.objects.exists()


def test_the_orders_of_an_erased_player_are_gone(club: Club) -> None:
    user = MembershipFactory.create(club=club, role=Role.SCORER).user
    player = PlayerFactory.create(club=club, handle="anna", user=user)
    table = online_table_open(club=club, user=user, rules=RULES, settings=SETTINGS)
    for name in ("Gust", "Gerda"):
        seat_take(table=table, user=None, name=name)
    table = table_start(table=table)
    for seat in table.seats.exclude(number=game_of(table).sheet.round.turn):
        order_give(table=table, seat=seat, kind=CHALLENGE, bid="7x5")
    player_erase(player=player, actor=Actor())
    assert not StandingOrder.objects.filter(seat__player=player).exists()
    assert StandingOrder.objects.exists()


def test_an_account_takes_its_own_orders_along_and_nobody_elses(club: Club) -> None:
    users = [MembershipFactory.create(club=club, role=Role.SCORER).user for _ in range(2)]
    table = online_table_open(club=club, user=users[0], rules=RULES, settings=SETTINGS)
    seat_take(table=table, user=users[1], name="")
    table = table_start(table=table)
    waiting = OnlineSeat.objects.exclude(number=game_of(table).sheet.round.turn).get(table=table)
    order_give(table=table, seat=waiting, kind=CHALLENGE, bid="7x5")
    for user in users:
        text = json.dumps(own_data(user), default=str)
        assert ("7x5" in text) == (user == waiting.user)
