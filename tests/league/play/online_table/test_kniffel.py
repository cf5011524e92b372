"""A game of Lügen-Kniffel at an online table: from the lobby to the sealed record, by the pages."""

from __future__ import annotations

import json
import re
from random import Random
from uuid import uuid4

import psycopg
import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from psycopg.rows import TupleRow

from engine.kniffel.combinations import COMBINATIONS
from engine.record.verify import verify_line
from engine.sheet.kniffel.dealing import DealtTurn
from games.models import Game, HiddenAct, Kind, SheetEntry
from games.queries.online_game import cup_of
from games.queries.open_game import sheets_written
from games.queries.verification import game_differences, open_game_differences
from league.core.log.models import LogEntry
from league.models import Club, OnlineSeat, OnlineTable, Role
from league.play.online_table.actions import PlayAction
from league.play.online_table.services.lobby import automatic_sit, online_table_open
from tests.factories.league import MembershipFactory
from tests.league.play.online_table.kniffel import (
    KNIFFEL_SETTINGS,
    RULES,
    act,
    announce,
    answer,
    kniffel_table,
    opened,
    page_of,
    play_on,
    sheet_of,
)
from tests.league.play.online_table.test_game import game_of, guest_at, host_of, started
from tests.league.site.audit.differences import club_differences

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(club: Club) -> OnlineTable:
    """A lobby in which the host sits alone."""
    return opened(club)


def test_a_member_opens_a_table_of_luegen_kniffel_with_its_own_rules(club: Club) -> None:
    client = Client()
    client.force_login(MembershipFactory.create(club=club, role=Role.SCORER).user)
    url = reverse("online-table-new", args=[club.slug]) + "?game=luegen-kniffel"
    form = {
        "most_seats": 8,
        "truth": "at_least",
        "allow_zero": "on",
        "move_seconds": 60,
        "bank_seconds": 0,
    }
    client.post(url, form)
    table = OnlineTable.objects.get()
    assert (table.kind, table.most_seats) == (Kind.LUEGEN_KNIFFEL, 8)
    assert table.rules == {"truth": "at_least", "allow_zero": True}
    (entry,) = LogEntry.objects.filter(action=PlayAction.TABLE_OPENED)
    assert json.loads(entry.payload)["game"] == "luegen-kniffel"
    assert "Lügen-Kniffel" in page_of(table, client)


def test_a_table_has_no_more_seats_than_its_game_and_there_is_no_other_game(club: Club) -> None:
    client = Client()
    client.force_login(MembershipFactory.create(club=club, role=Role.SCORER).user)
    url = reverse("online-table-new", args=[club.slug])
    form = {
        "most_seats": 7,
        "exact": "all",
        "scoring": "placement",
        "move_seconds": 60,
        "bank_seconds": 0,
    }
    client.post(url, form)
    form = {"most_seats": 9, "truth": "exact", "move_seconds": 60, "bank_seconds": 0}
    client.post(url + "?game=luegen-kniffel", form)
    assert not OnlineTable.objects.exists()
    assert client.get(url + "?game=poker").status_code == 404


def test_a_whole_game_is_sealed_with_the_proof_of_its_dice(table: OnlineTable) -> None:
    clients = [host_of(table), guest_at(table), guest_at(table, "Third")]
    automatic_sit(table=table, strength="sharp")
    clients[0].post(reverse("online-table-start", args=[table.public_id]))
    table.refresh_from_db()
    play_on(table, clients, Random(1))
    game = Game.objects.get()
    assert table.game == game
    assert game.kind == Kind.LUEGEN_KNIFFEL
    line = clients[1].get(reverse("online-table-record", args=[table.public_id])).content
    verified = verify_line(line.strip())
    assert verified.ok, verified.error
    assert set(verified.proved) >= {"rules", "dice", "digests", "seal"}
    assert list(game_differences([game.pk])) == []
    assert table.open_game is not None
    assert list(open_game_differences(sheets_written([table.open_game.public_id]))) == []
    assert [str(difference) for difference in club_differences(table.club_id)] == []
    assert "The game is over" in page_of(table, clients[0])


def test_a_roller_keeps_dice_and_rolls_the_others(table: OnlineTable) -> None:
    clients = kniffel_table(table, guests=1)
    roller = sheet_of(table).to_act[0]
    act(table, clients[roller], "roll")
    first = dealt_to(table, roller)
    act(table, clients[roller], "roll", keep=[0, 3])
    second = dealt_to(table, roller)
    assert second.locked == (first.rolled[0], first.rolled[3])
    assert len(second.rolled) == 3
    act(table, clients[roller], "roll", keep=[0, 1, 2])
    assert sheet_of(table).rolls == 2, "one die at least is rolled"
    act(table, clients[roller], "roll", keep=[3])
    assert sheet_of(table).rolls == 2, "there is no such die"
    assert [json.loads(value) for value in SheetEntry.objects.values_list("value", flat=True)] == [
        {"seat": roller}
    ] * 2


def dealt_to(table: OnlineTable, seat: int) -> DealtTurn:
    dealt = cup_of(game_of(table), seat)
    assert isinstance(dealt, DealtTurn)
    return dealt


def test_k2_k5_the_roller_is_offered_what_can_be_announced_and_nothing_else(
    table: OnlineTable,
) -> None:
    clients = kniffel_table(table, guests=1)
    roller = announce(table, clients, "full=25")
    answer(table, clients[1 - roller], "believe")
    announce(table, clients, "chance=20")
    answer(table, clients[roller], "believe")
    act(table, clients[roller], "roll")
    page = page_of(table, clients[roller])
    offered = set(re.findall(r'<option value="([a-z]+)=', page))
    assert offered == set(COMBINATIONS) - {"full"}
    assert 'value="ones=0"' not in page
    assert "<option" not in page_of(table, clients[1 - roller])


def test_k16_everybody_reads_who_has_answered_and_nobody_what_before_all_have(
    table: OnlineTable,
) -> None:
    clients = kniffel_table(table, guests=2)
    roller = announce(table, clients, "chance=20")
    first, second = [seat for seat in range(3) if seat != roller]
    answer(table, clients[first], "doubt")
    page = page_of(table, Client())
    assert page.count("has answered") == 1
    assert "doubted by" not in page
    assert "You have answered" in page_of(table, clients[first])
    answer(table, clients[second], "believe")
    assert "doubted by" in page_of(table, Client())


def test_k16_an_answer_stands_though_another_seat_was_faster_and_a_late_one_counts_for_no_other_turn(
    table: OnlineTable,
) -> None:
    clients = kniffel_table(table, guests=2)
    roller = announce(table, clients, "chance=20")
    first, second = [seat for seat in range(3) if seat != roller]
    answer(table, clients[first], "believe", turn=0)
    answer(table, clients[second], "believe", turn=0)
    assert sheet_of(table).closed == 1
    announce(table, clients, "chance=21")
    late = answer(table, clients[roller], "doubt", turn=0)
    assert "this turn is over" in late
    assert sheet_of(table).answered == ()


def test_an_answer_sent_twice_is_one(table: OnlineTable) -> None:
    clients = kniffel_table(table, guests=2)
    roller = announce(table, clients, "chance=20")
    body = {"act": "doubt", "turn": 0, "key": str(uuid4())}
    for _ in range(2):
        clients[(roller + 1) % 3].post(reverse("online-table-act", args=[table.public_id]), body)
    assert SheetEntry.objects.filter(act="answer").count() == 1
    assert HiddenAct.objects.filter(act="answer").count() == 1


@pytest.mark.parametrize(
    "body",
    [
        {"act": "announce"},
        {"act": "doubt"},
        {"act": "bid"},
        {},
        {"act": "roll", "keep": 9},
        {"key": "none"},
    ],
)
def test_an_act_that_is_not_whole_says_so_and_leaves_no_trace(
    table: OnlineTable, body: dict[str, object]
) -> None:
    clients = kniffel_table(table, guests=1)
    roller = sheet_of(table).to_act[0]
    answered = clients[roller].post(
        reverse("online-table-act", args=[table.public_id]),
        {"key": str(uuid4()), "length": 0, **body},
        follow=True,
    )
    assert "Choose what you announce." in answered.content.decode()
    assert not SheetEntry.objects.exists()


def test_k15_others_play_on_without_a_roller_whose_time_is_up(table: OnlineTable) -> None:
    clients = kniffel_table(table, guests=2)
    roller = sheet_of(table).to_act[0]
    act(table, clients[roller], "roll")
    url = reverse("online-table-time-up", args=[table.public_id])
    clients[(roller + 1) % 3].post(url)
    assert len(sheet_of(table).staying) == 3, "there is time left"
    time_is_up()
    clients[roller].post(url)
    assert len(sheet_of(table).staying) == 3, "not for oneself"
    clients[(roller + 1) % 3].post(url)
    assert roller not in sheet_of(table).staying
    assert "left the game" in page_of(table, Client())


def test_k16_whoever_does_not_answer_in_time_believes_once_another_seat_says_so(
    table: OnlineTable,
) -> None:
    clients = kniffel_table(table, guests=3)
    roller = announce(table, clients, "chance=20")
    first, second, third = [seat for seat in range(4) if seat != roller]
    answer(table, clients[first], "doubt")
    url = reverse("online-table-time-up", args=[table.public_id])
    clients[first].post(url)
    assert sheet_of(table).closed == 0, "there is time left"
    time_is_up(bank=600)
    clients[second].post(url)
    assert sheet_of(table).closed == 0, "not for oneself"
    clients[first].post(url)
    assert sheet_of(table).closed == 1, "no bank is waited for, so that all have the same time"
    assert sheet_of(table).staying == (0, 1, 2, 3)
    assert page_of(table, Client()).count("doubted by") == 1
    assert third in sheet_of(table).staying


def time_is_up(bank: int = 0) -> None:
    OnlineTable.objects.update(move_seconds=0)
    OnlineSeat.objects.update(bank=bank)


@pytest.mark.django_db(transaction=True)
def test_an_answer_takes_nothing_from_the_bank_and_a_roll_does(
    table: OnlineTable, forger: psycopg.Connection[TupleRow]
) -> None:
    clients = kniffel_table(table, guests=1)
    roller = sheet_of(table).to_act[0]
    act(table, clients[roller], "roll")
    forger.execute("UPDATE games_opensheet SET heard_at = heard_at - interval '90 seconds'")
    act(table, clients[roller], "announce", say="chance=20")
    forger.execute(
        "UPDATE games_sheetentry SET made_at = made_at - interval '90 seconds' WHERE act = "
        "'announce'"
    )
    answer(table, clients[1 - roller], "believe")
    assert sheet_of(table).closed == 1
    assert table.seats.get(number=roller).bank < 60
    assert table.seats.get(number=1 - roller).bank == 60


def test_a_table_of_luegen_kniffel_is_played_again_by_its_rules(table: OnlineTable) -> None:
    clients = kniffel_table(table, guests=1)
    act(table, clients[0], "leave")
    clients[1].post(reverse("online-table-again", args=[table.public_id]))
    again = OnlineTable.objects.get(rematch_of=table)
    assert (again.kind, again.rules) == (table.kind, table.rules)


def test_automatic_players_play_among_themselves_while_nobody_else_is_asked(club: Club) -> None:
    user = MembershipFactory.create(club=club, role=Role.SCORER).user
    table = online_table_open(club=club, user=user, rules=RULES, settings=KNIFFEL_SETTINGS)
    for strength in ("easy", "steady"):
        automatic_sit(table=table, strength=strength)
    client = host_of(table)
    started(table)
    for _ in range(6):
        sheet = sheet_of(table)
        assert sheet.to_act == (0,), "automatic players have done what they had to do"
        if sheet.asks_all:
            answer(table, client, "believe")
        else:
            announce(table, [client], f"{open_field(table)}")


def open_field(table: OnlineTable) -> str:
    sheet = sheet_of(table)
    name = next(
        name for name in ("chance", "three", "four") if not sheet.game.sheets[0][name].filled
    )
    return f"{name}=20"


def test_an_act_asks_the_database_as_often_late_in_a_game_as_early(table: OnlineTable) -> None:
    clients = kniffel_table(table, guests=1)
    counts = []
    for name in COMBINATIONS[6:12]:
        points = {"full": 25, "small": 30, "large": 40, "kniffel": 50}.get(name, 20)
        for _ in range(2):
            with CaptureQueriesContext(connection) as queries:
                roller = announce(table, clients, f"{name}={points}")
                answer(table, clients[1 - roller], "believe")
            counts.append(len(queries))
    assert len(set(counts[2::2])) == 1
    assert len(set(counts[3::2])) == 1
