"""A seat of an online table whose game counts calls the arbiter, and sees the ruling."""

from __future__ import annotations

import json
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Game, OpenSheet, SheetEntry
from games.services.open_game import Writer
from league.core.log.models import LogEntry
from league.disputes.call.actions import CallAction
from league.disputes.call.queries import club_calls
from league.disputes.call.services import call_rule
from league.models import Club, OnlineTable, Player, Role, Season
from league.play.online_table.queries import deadline_of
from league.play.online_table.services.lobby import online_table_open, seat_take, table_start
from tests.factories.league import MembershipFactory, PlayerFactory, SeasonFactory, UserFactory
from tests.league.play.online_table.playing import act, game_of, play_to_the_end, seats_in
from tests.league.site.audit.differences import club_differences

pytestmark = pytest.mark.django_db
SETTINGS = {"most_seats": 3, "move_seconds": 60, "bank_seconds": 30}


@pytest.fixture
def online_season(club: Club) -> Season:
    return SeasonFactory.create(club=club, online=True, rules={"dice": 2, "exact": "all"})


@pytest.fixture
def table(online_season: Season) -> OnlineTable:
    """A counted game of two that is played."""
    names = ("anna", "ben")
    club = online_season.club
    players: list[Player] = [
        PlayerFactory.create(club=club, handle=name, user=UserFactory.create()) for name in names
    ]
    users = [player.user for player in players]
    rules = {**online_season.rules, "reroll": False, "scoring": "cntdice"}
    assert users[0] is not None
    table = online_table_open(
        club=club, user=users[0], rules=rules, settings=SETTINGS, season=online_season
    )
    seat_take(table=table, user=users[1], name="")
    table_start(table=table)
    table.refresh_from_db()
    return table


@pytest.fixture
def judge(club: Club) -> Writer:
    user = MembershipFactory.create(club=club, role=Role.ARBITER, user=UserFactory.create()).user
    return Writer(account=(user.pk, user.public_id))


def url(table: OnlineTable, name: str = "online-table") -> str:
    return reverse(name, args=[table.public_id])


def page(client: Client, table: OnlineTable) -> str:
    return " ".join(client.get(url(table)).content.decode().split())


def test_a_seat_calls_plays_on_and_sees_the_ruling(
    table: OnlineTable, judge: Writer, club: Club
) -> None:
    clients = seats_in(table)
    assert url(table, "online-table-call") in page(clients[1], table)
    assert url(table, "online-table-call") not in page(Client(), table), "a spectator calls nobody"
    clients[1].post(url(table, "online-table-call"), {"key": str(uuid4())})
    for client in (*clients, Client()):
        assert "The arbiter has been called." in page(client, table)
    turn = game_of(table).sheet.round.turn
    act(table, clients[turn], "bid", field="1", face="1")
    (call,) = club_calls(club)
    assert (call.seat, call.caller, call.is_dealt) == (1, call.names[1], True)
    call_rule(
        row=call.row, call=call.number, case="absent", decision="wait", ruler=judge, key=uuid4()
    )
    for client in (*clients, Client()):
        html = page(client, table)
        assert "The arbiter has ruled:" in html
        assert "Wait for the player" in html
    play_to_the_end(table, clients)
    assert "The arbiter has ruled:" not in page(clients[0], table)
    assert Game.objects.count() == 1
    assert list(club_differences(club.pk)) == []


def test_a_seat_takes_only_its_own_call_back(table: OnlineTable) -> None:
    clients = seats_in(table)
    clients[0].post(url(table, "online-table-call"), {"key": str(uuid4())})
    assert url(table, "online-table-call-back") not in page(clients[1], table)
    clients[1].post(url(table, "online-table-call-back"), {"key": str(uuid4())})
    assert "only the person who called can withdraw the call" in page(clients[1], table)
    clients[0].post(url(table, "online-table-call-back"), {"key": str(uuid4())})
    acts = SheetEntry.objects.filter(sheet__open_game=table.open_game).values_list("act", flat=True)
    assert list(acts) == ["call", "call_off"]


def test_a_tap_that_is_sent_twice_calls_once(table: OnlineTable) -> None:
    sent = {"key": str(uuid4())}
    for _ in range(2):
        seats_in(table)[0].post(url(table, "online-table-call"), sent)
    assert SheetEntry.objects.filter(act="call").count() == 1
    entry = LogEntry.objects.get(action=CallAction.MADE)
    assert json.loads(entry.payload)["by"] == {"seat": 0}


def test_a_call_gives_nobody_more_time(table: OnlineTable) -> None:
    clients = seats_in(table)
    row = OpenSheet.objects.select_related("open_game").get(open_game=table.open_game)
    before = deadline_of(table, row, 30)
    OnlineTable.objects.update(time_given=row.length)
    clients[0].post(url(table, "online-table-call"), {"key": str(uuid4())})
    row.refresh_from_db()
    table.refresh_from_db()
    assert deadline_of(table, row, 30) == before
    assert table.time_given == row.length == 1, "what was given for this move was given"


def test_a_move_that_was_chosen_before_the_call_still_stands(table: OnlineTable) -> None:
    clients = seats_in(table)
    turn = game_of(table).sheet.round.turn
    clients[1 - turn].post(url(table, "online-table-call"), {"key": str(uuid4())})
    body = {"act": "bid", "key": str(uuid4()), "length": 0, "field": "1", "face": "1"}
    clients[turn].post(url(table, "online-table-act"), body)
    assert list(SheetEntry.objects.order_by("number").values_list("act", flat=True)) == [
        "call",
        "bid",
    ]


def test_only_seats_of_a_counted_game_call(table: OnlineTable) -> None:
    assert Client().post(url(table, "online-table-call")).status_code == 404
    OnlineTable.objects.update(season=None)
    assert seats_in(table)[0].post(url(table, "online-table-call")).status_code == 404
    assert "Call the arbiter" not in page(seats_in(table)[0], table)
