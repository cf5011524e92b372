"""A game at an online table: from the lobby to the sealed record, by the pages."""

from __future__ import annotations

import json
import re
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from engine.bluff.track import TEXT
from engine.record.verify import verify_line
from games.models import DealerSecret, Game, SheetEntry
from games.queries.online_game import OnlineGame, cup_of, online_game
from games.queries.open_game import sheets_written
from games.queries.verification import game_differences, open_game_differences
from league.core.log.models import LogEntry
from league.core.log.services import Actor
from league.models import Club, OnlineSeat, OnlineTable, Role
from league.play.online_table.actions import PlayAction
from league.play.online_table.services.lobby import (
    automatic_sit,
    online_table_open,
    seat_take,
    table_start,
)
from league.site.erasure.services.erasure import player_erase
from league.standings.ranked_game.actions import GameAction
from tests.factories.league import MembershipFactory, PlayerFactory, UserFactory
from tests.league.site.audit.differences import club_differences

pytestmark = pytest.mark.django_db
RULES = {"exact": "all", "reroll": True, "dice": 5, "scoring": "placement"}
SETTINGS = {"most_seats": 6, "move_seconds": 60, "bank_seconds": 60}


@pytest.fixture
def table(club: Club) -> OnlineTable:
    """A lobby in which the host sits alone."""
    user = MembershipFactory.create(club=club, role=Role.SCORER).user
    return online_table_open(club=club, user=user, rules=RULES, settings=SETTINGS)


def host_of(table: OnlineTable) -> Client:
    client = Client()
    user = table.seats.get(number=0).user
    assert user is not None
    client.force_login(user)
    return client


def guest_at(table: OnlineTable, name: str = "Gust") -> Client:
    client = Client()
    client.post(reverse("online-table-sit", args=[table.public_id]), {"name": name})
    return client


def started(table: OnlineTable) -> OnlineTable:
    table_start(table=table)
    table.refresh_from_db()
    return table


def game_of(table: OnlineTable) -> OnlineGame:
    assert table.open_game_id is not None
    return online_game(table.open_game_id)


def page_of(table: OnlineTable, client: Client) -> str:
    return client.get(reverse("online-table", args=[table.public_id])).content.decode()


def act(table: OnlineTable, client: Client, act: str, **fields: object) -> None:
    length = SheetEntry.objects.filter(sheet__open_game=table.open_game_id).count()
    body = {"act": act, "key": str(uuid4()), "length": length, **fields}
    answer = client.post(reverse("online-table-act", args=[table.public_id]), body)
    assert answer.status_code == 302


def test_a_member_opens_a_table_and_sits_first(club: Club) -> None:
    client = Client()
    user = MembershipFactory.create(club=club, role=Role.SCORER).user
    client.force_login(user)
    form = {
        "most_seats": 4,
        "exact": "all",
        "scoring": "cntdice",
        "move_seconds": 60,
        "bank_seconds": 0,
    }
    answer = client.post(reverse("online-table-new", args=[club.slug]), form)
    table = OnlineTable.objects.get()
    assert answer["Location"] == reverse("online-table", args=[table.public_id])
    assert list(table.seats.values_list("number", "user")) == [(0, user.pk)]
    assert table.commitment in page_of(table, client)
    assert (
        LogEntry.objects.filter(action=PlayAction.TABLE_OPENED, subject=table.public_id).count()
        == 1
    )


def test_a_rule_text_overrules_the_options_that_it_settles(club: Club) -> None:
    client = Client()
    client.force_login(MembershipFactory.create(club=club, role=Role.SCORER).user)
    form = {
        "most_seats": 4,
        "exact": "all",
        "reroll": "on",
        "scoring": "cntdice",
        "move_seconds": 60,
    }
    url = reverse("online-table-new", args=[club.slug])
    client.post(url, {**form, "bank_seconds": 0, "text": "brettspielwelt"})
    rules = OnlineTable.objects.get().rules
    assert rules == {"dice": 5, "exact": "challenger", "reroll": False, "scoring": "cntdice"}


def test_nobody_else_opens_a_table_of_a_club(club: Club) -> None:
    client = Client()
    client.force_login(UserFactory.create())
    assert client.get(reverse("online-table-new", args=[club.slug])).status_code == 404


def test_a_guest_sits_down_by_the_link_with_a_name_of_their_own(table: OnlineTable) -> None:
    guest = guest_at(table)
    assert list(table.seats.values_list("name", flat=True))[1:] == ["Gust"]
    assert "Gust" in page_of(table, guest)
    guest_at(table, "gust")
    assert table.seats.count() == 2, "the name is taken"
    guest.post(reverse("online-table-sit", args=[table.public_id]), {"name": "Gust again"})
    assert table.seats.count() == 2, "they sit there already"


def test_a_full_table_takes_nobody_more_until_somebody_leaves(table: OnlineTable) -> None:
    OnlineTable.objects.update(most_seats=3)
    host, first, second = host_of(table), guest_at(table, "First"), guest_at(table, "Second")
    guest_at(table, "Third")
    assert table.seats.count() == 3
    leave = reverse("online-table-leave", args=[table.public_id])
    first.post(leave)
    assert list(table.seats.values_list("number", "name"))[1:] == [(1, "Second")]
    host.post(leave, {"seat": 1})
    assert table.seats.count() == 1
    second.post(leave)
    host.post(leave)
    assert table.seats.count() == 1, "the host stays"


def test_a_whole_game_is_sealed_with_the_proof_of_its_dice(table: OnlineTable) -> None:
    clients = [host_of(table), guest_at(table)]
    automatic_sit(table=table, strength="steady")
    clients[0].post(reverse("online-table-start", args=[table.public_id]))
    table.refresh_from_db()
    while table.status == OnlineTable.Status.PLAYING:
        now = game_of(table).sheet.round
        if now.may_challenge() and now.bid > 60:
            act(table, clients[now.turn], "challenge")
        else:
            count, _, face = TEXT[now.bid + 5].partition("x")
            act(
                table,
                clients[now.turn],
                "bid",
                field=f"{count}*" if face == "*" else count,
                face=face,
            )
        table.refresh_from_db()
    assert table.status == OnlineTable.Status.OVER
    game = Game.objects.get()
    assert table.game == game
    line = clients[1].get(reverse("online-table-record", args=[table.public_id])).content
    verified = verify_line(line.strip())
    assert verified.ok, verified.error
    assert set(verified.proved) >= {"rules", "dice", "digests", "seal"}
    assert list(game_differences([game.pk])) == []
    assert table.open_game is not None
    assert list(open_game_differences(sheets_written([table.open_game.public_id]))) == []
    assert [str(difference) for difference in club_differences(table.club_id)] == []
    (entry,) = LogEntry.objects.filter(action=GameAction.SEALED)
    assert json.loads(entry.payload)["online_table"] == table.public_id
    assert "The game is over" in page_of(table, clients[0])


def test_a_seat_sees_its_own_cup_and_nobody_else_s(table: OnlineTable) -> None:
    clients = [host_of(table), guest_at(table), Client()]
    started(table)
    secret = bytes(DealerSecret.objects.get(commitment=table.commitment).secret).hex()
    assert len(cup_of(game_of(table), 0)) == 5
    for number, client in enumerate(clients):
        page = page_of(table, client)
        assert secret not in page
        assert page.count('id="my-dice"') == (number < 2)
        if number < 2:
            mine = page.partition('id="my-dice"')[2].partition("</p>")[0]
            assert len(re.findall("<use", mine)) == 5


def test_only_the_seat_whose_turn_it_is_acts_and_a_spectator_never(table: OnlineTable) -> None:
    clients = [host_of(table), guest_at(table)]
    turn = game_of(started(table)).sheet.round.turn
    act(table, clients[1 - turn], "bid", field="3", face="4")
    assert not SheetEntry.objects.exists()
    stranger = Client().post(
        reverse("online-table-act", args=[table.public_id]), {"act": "challenge"}
    )
    assert stranger.status_code == 404
    act(table, clients[turn], "bid", field="3", face="4")
    assert [entry.seat for entry in SheetEntry.objects.all()] == [turn]


def test_the_same_act_sent_twice_is_one_and_a_late_one_is_told_so(table: OnlineTable) -> None:
    clients = [host_of(table), guest_at(table)]
    turn = game_of(started(table)).sheet.round.turn
    body = {"act": "bid", "key": str(uuid4()), "length": 0, "field": "3", "face": "4"}
    url = reverse("online-table-act", args=[table.public_id])
    for _ in range(2):
        assert clients[turn].post(url, body).status_code == 302
    assert SheetEntry.objects.count() == 1
    late = clients[1 - turn].post(url, body | {"key": str(uuid4()), "field": "4"}, follow=True)
    assert "faster" in late.content.decode()
    assert SheetEntry.objects.count() == 1


def test_b17_whoever_leaves_the_game_loses_their_dice_and_the_round_is_played_again(
    table: OnlineTable,
) -> None:
    clients = [host_of(table), guest_at(table), guest_at(table, "Third")]
    started(table)
    act(table, clients[2], "leave")
    assert game_of(table).sheet.game.owned == [5, 5, 0]
    assert "takes no further part" in page_of(table, clients[0])
    act(table, clients[1], "leave")
    table.refresh_from_db()
    assert table.status == OnlineTable.Status.OVER


def test_others_play_on_without_a_seat_once_its_time_is_up_and_not_before(
    table: OnlineTable,
) -> None:
    clients = [host_of(table), guest_at(table)]
    turn = game_of(started(table)).sheet.round.turn
    url = reverse("online-table-time-up", args=[table.public_id])
    clients[1 - turn].post(url)
    assert not SheetEntry.objects.exists(), "there is time left"
    OnlineTable.objects.update(move_seconds=0, bank_seconds=0)
    OnlineSeat.objects.update(bank=0)
    clients[turn].post(url)
    assert not SheetEntry.objects.exists(), "not for oneself"
    clients[1 - turn].post(url)
    table.refresh_from_db()
    assert table.status == OnlineTable.Status.OVER


def test_a_table_is_played_again_by_the_same_players_once(table: OnlineTable) -> None:
    clients = [host_of(table), guest_at(table)]
    started(table)
    act(table, clients[0], "leave")
    for client in clients:
        client.post(reverse("online-table-again", args=[table.public_id]))
    again = OnlineTable.objects.get(rematch_of=table)
    assert again.commitment != table.commitment
    assert sorted(again.seats.values_list("name", flat=True)) == sorted(
        table.seats.values_list("name", flat=True)
    )


def test_a_seat_says_a_phrase_and_no_two_at_once(table: OnlineTable) -> None:
    guest = guest_at(table)
    started(table)
    url = reverse("online-table-say", args=[table.public_id])
    for phrase in ("dare", "ouch"):
        guest.post(url, {"phrase": phrase})
    assert list(table.seats.values_list("phrase", flat=True)) == ["", "dare"]
    assert guest.post(url, {"phrase": "<script>"}).status_code == 404
    assert "<q" in page_of(table, Client())


def test_a_guest_goes_on_with_another_device_by_the_link_of_the_seat(table: OnlineTable) -> None:
    _, key = seat_take(table=table, user=None, name="Gust")
    phone = Client()
    phone.get(reverse("online-table-seat", args=[table.public_id, key]))
    started(table)
    assert 'id="my-dice"' in page_of(table, phone)
    assert (
        Client().get(reverse("online-table-seat", args=[table.public_id, "wrong"])).status_code
        == 404
    )


def test_nobody_takes_the_name_of_a_player_of_the_club(table: OnlineTable) -> None:
    PlayerFactory.create(club=table.club, handle="anna")
    guest_at(table, "Anna")
    assert table.seats.count() == 1


def test_a_guest_who_signs_in_keeps_the_seat_and_is_the_player_of_the_club(
    table: OnlineTable,
) -> None:
    guest = guest_at(table)
    assert "/seat/" in page_of(table, guest)
    user = UserFactory.create()
    player = PlayerFactory.create(club=table.club, handle="greta", user=user)
    assert guest.post(reverse("online-table-keep", args=[table.public_id])).status_code == 404
    guest.force_login(user)
    guest.post(reverse("online-table-keep", args=[table.public_id]))
    seat = table.seats.get(number=1)
    assert (seat.user, seat.player) == (user, player)
    elsewhere = Client()
    elsewhere.force_login(user)
    assert "/seat/" not in page_of(table, elsewhere)
    started(table)
    assert 'id="my-dice"' in page_of(table, elsewhere)


def test_a_player_who_is_erased_leaves_a_pseudonym_at_the_table_and_in_the_game(club: Club) -> None:
    user = MembershipFactory.create(club=club, role=Role.SCORER).user
    player = PlayerFactory.create(club=club, handle="anna", user=user)
    table = online_table_open(club=club, user=user, rules=RULES, settings=SETTINGS)
    guest = guest_at(table)
    started(table)
    act(table, guest, "leave")
    table.refresh_from_db()
    assert player_erase(player=player, actor=Actor())
    assert "anna" not in page_of(table, guest)
    assert table.game is not None
    assert "anna" not in list(table.game.seats.values_list("handle", flat=True))
    assert [str(difference) for difference in club_differences(club.pk)] == []


def test_an_automatic_player_has_a_name_that_nobody_in_the_club_has(table: OnlineTable) -> None:
    for handle in ("rosa", "Otto"):
        PlayerFactory.create(club=table.club, handle=handle)
    names = [automatic_sit(table=table, strength="easy").name for _ in range(5)]
    assert names == ["Mieke", "Hugo", "Wilma", "Bram", "Rosa 1"]


def test_an_act_asks_the_database_as_often_late_in_a_game_as_early(table: OnlineTable) -> None:
    clients = [host_of(table), guest_at(table)]
    started(table)
    counts = []
    for _ in range(8):
        now = game_of(table).sheet.round
        count, _, face = TEXT[now.bid + 7].partition("x")
        with CaptureQueriesContext(connection) as queries:
            act(
                table,
                clients[now.turn],
                "bid",
                field=f"{count}*" if face == "*" else count,
                face=face,
            )
        counts.append(len(queries))
    assert len(set(counts[2::2])) == 1
    assert len(set(counts[3::2])) == 1
