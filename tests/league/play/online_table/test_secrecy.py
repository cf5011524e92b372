"""Before the cups go up, what others are sent doesn't depend on the dice under a cup: not in a
single byte."""

from __future__ import annotations

import re
from dataclasses import dataclass
from random import Random
from typing import Any
from unittest.mock import patch

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from engine.bluff.track import TEXT
from engine.dice.dealer import Dealer
from engine.dice.roll import RollPlace
from engine.record.record import Record
from games.models import DealerSecret, OpenSheet, SheetEntry
from games.queries import online_game as queries
from league.core.log.models import LogEntry
from league.models import Club, OnlineTable, Role, StandingOrder
from league.play.online_table.queries import table_version
from league.play.online_table.services.lobby import online_table_open, table_start
from league.play.standing_order.services import order_give, order_withdraw
from tests.factories.league import MembershipFactory
from tests.league.play.online_table.test_game import (
    RULES,
    SETTINGS,
    game_of,
    guest_at,
    host_of,
    page_of,
)
from tests.league.play.secrecy import GAMES

pytestmark = pytest.mark.django_db
dealer_of = queries.dealer_of
ORDERS_OF_BLUFF = (StandingOrder.OrderKind.CHALLENGE, StandingOrder.OrderKind.RAISE)


@dataclass(frozen=True, slots=True)
class OtherCup(Dealer):
    """A dealer who deals one seat other dice than the honest one, and all others the same."""

    seat: int = 0

    def roll(self, draw: RollPlace, dice: int) -> tuple[int, ...]:
        faces = Dealer.roll(self, draw, dice)
        return tuple([face % 6 + 1 for face in faces]) if draw.seat == self.seat else faces


def cheat(seat: int) -> Any:
    """Let the dice of a seat be others for a moment."""

    def other(record: Record) -> Dealer:
        honest = dealer_of(record)
        return OtherCup(honest.secret, honest.game, honest.seeds, honest.scheme, seat)

    return patch.multiple(queries, dealer_of=other)


def playing(club: Club, guests: int) -> tuple[OnlineTable, list[Client]]:
    user = MembershipFactory.create(club=club, role=Role.SCORER).user
    table = online_table_open(club=club, user=user, rules=RULES, settings=SETTINGS)
    clients = [host_of(table), *[guest_at(table, f"Guest {number}") for number in range(guests)]]
    table_start(table=table)
    table.refresh_from_db()
    return table, clients


def without_keys(page: str) -> str:
    """A page without what is new in each answer: the keys of forms, the signed address of the
    stream, and the time."""
    names = (
        r'(name="(key|csrfmiddlewaretoken)" value|data-live-url|hx-headers|data-now|<progress '
        r'max="\d+" value)'
    )
    return re.sub(names + r'=["\'][^"\']*["\']', "", page)


@pytest.mark.parametrize("seed", GAMES)
def test_what_others_are_sent_is_the_same_whatever_lies_under_a_cup(
    club: Club, seed: int, caplog: pytest.LogCaptureFixture
) -> None:
    chance = Random(seed)
    table, clients = playing(club, guests=2)
    for _ in range(15):
        sheet = game_of(table).sheet
        if sheet.over:
            break
        closed = [
            number
            for number, dice in enumerate(sheet.game.owned)
            if dice and not sheet.round.shown[number]
        ]
        if closed:
            _compare(table, clients, chance.choice(closed), caplog)
        _act(table, clients[sheet.round.turn], chance)
        table.refresh_from_db()


def _compare(
    table: OnlineTable, clients: list[Client], seat: int, caplog: pytest.LogCaptureFixture
) -> None:
    """Deal other dice to a seat that has laid none out: everybody else is sent the same, and the
    service logs the same."""
    turn = game_of(table).sheet.round.turn
    others = [client for number, client in enumerate(clients) if number != seat]
    waiting = [client for number, client in enumerate(clients) if number not in (seat, turn)]

    def all_sent() -> list[str]:
        caplog.clear()
        pages = [page_of(table, client) for client in (*others, Client())]
        refusals = [_refusal(table, client) for client in waiting]
        return [*map(without_keys, pages), *map(without_keys, refusals), *caplog.messages]

    honest = all_sent()
    own = without_keys(page_of(table, clients[seat]))
    version = table_version(table.public_id)
    with cheat(seat):
        assert all_sent() == honest
        assert without_keys(page_of(table, clients[seat])) != own, "the own cup shows other dice"
        assert table_version(table.public_id) == version


def _refusal(table: OnlineTable, client: Client) -> str:
    """The page that says to a seat that it isn't its turn."""
    length = SheetEntry.objects.filter(sheet__open_game=table.open_game_id).count()
    body = {"act": "challenge", "length": length, "key": "00000000-0000-4000-8000-000000000000"}
    answer = client.post(reverse("online-table-act", args=[table.public_id]), body, follow=True)
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.mark.parametrize("seed", GAMES)
def test_what_others_are_sent_is_the_same_with_a_standing_order_and_without(
    club: Club, seed: int
) -> None:
    chance = Random(seed)
    table, clients = playing(club, guests=2)
    for _ in range(15):
        sheet = game_of(table).sheet
        if sheet.over:
            break
        waiting = [
            number
            for number, dice in enumerate(sheet.game.owned)
            if dice and number != sheet.round.turn
        ]
        _compare_orders(table, clients, chance.choice(waiting))
        _act(table, clients[sheet.round.turn], chance)
        table.refresh_from_db()


def _compare_orders(table: OnlineTable, clients: list[Client], seat: int) -> None:
    """Let a seat give orders: everybody else is sent the same, as many events, and no more queries
    are made for it.

    The page of spectators is kept, so its queries tell nothing.
    """
    others = [client for number, client in enumerate(clients) if number != seat]
    spectators_page = _sent(table, Client())[0]
    without = [_sent(table, client) for client in others]
    own = _sent(table, clients[seat])
    version = table_version(table.public_id)
    entries = LogEntry.objects.count(), SheetEntry.objects.count()
    mine = table.seats.get(number=seat)
    with patch("league.play.online_table.services.table.table_notify") as tell:
        for kind in ORDERS_OF_BLUFF:
            order_give(table=table, seat=mine, kind=kind, bid="40x5", always=True)
    assert not tell.called
    assert [_sent(table, client) for client in others] == without
    assert _sent(table, Client())[0] == spectators_page
    assert _sent(table, clients[seat]) != own, "the owner sees them"
    assert table_version(table.public_id) == version
    assert (LogEntry.objects.count(), SheetEntry.objects.count()) == entries
    for kind in ORDERS_OF_BLUFF:
        order_withdraw(seat=mine, kind=kind)


def _sent(table: OnlineTable, client: Client) -> tuple[str, int]:
    """The page that somebody is sent, and the queries that it took."""
    with CaptureQueriesContext(connection) as queries:
        page = without_keys(page_of(table, client))
    return page, len(queries)


def _act(table: OnlineTable, client: Client, chance: Random) -> None:
    now = game_of(table).sheet.round
    length = SheetEntry.objects.filter(sheet__open_game=table.open_game_id).count()
    key = f"00000000-0000-4000-8000-{chance.randrange(10**12):012}"
    body: dict[str, object] = {"key": key, "length": length}
    if now.may_challenge() and chance.random() < 0.4:
        body |= {"act": "challenge"}
    else:
        count, _, face = TEXT[min(now.bid + chance.randrange(1, 9), len(TEXT) - 1)].partition("x")
        hidden = now.hidden[now.turn]
        roll = (
            chance.sample(range(hidden), chance.randrange(1, hidden))
            if hidden > 1 and chance.random() < 0.3
            else []
        )
        body |= {
            "act": "bid",
            "field": f"{count}*" if face == "*" else count,
            "face": face,
            "roll": roll,
        }
    client.post(reverse("online-table-act", args=[table.public_id]), body)


def test_the_secret_is_in_nothing_that_is_stored_beside_it(club: Club) -> None:
    table, clients = playing(club, guests=1)
    chance = Random(1)
    for _ in range(4):
        _act(table, clients[game_of(table).sheet.round.turn], chance)
    secret = bytes(DealerSecret.objects.get(commitment=table.commitment).secret)
    rows = [
        *LogEntry.objects.values_list("payload", flat=True),
        *[str(state) for state in OpenSheet.objects.values_list("state", flat=True)],
        *SheetEntry.objects.exclude(act="reveal").values_list("value", flat=True),
    ]
    assert not [row for row in rows if secret.hex() in row]
