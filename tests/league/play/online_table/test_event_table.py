"""An evening online: an event's tables, at which the service deals."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from games.models import Game, SheetEntry
from games.queries.online_game import online_game
from league.core.log.models import LogEntry
from league.events.event.services import event_change
from league.models import Event, OnlineTable, Season, Table, TableGame, TableSeat
from league.play.online_table.actions import PlayAction
from tests.factories import events
from tests.factories.league import UserFactory
from tests.league.night import _same_chance, desk, organiser, season
from tests.league.play.online_table.playing import act, game_of, later, play_to_the_end, signed_in
from tests.league.site.audit.differences import club_differences

__all__ = ["_same_chance", "desk", "organiser", "season"]

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(season: Season) -> Table:
    """A table of four of an online event; each of its players has an account."""
    night = events.event(
        season, status=Event.Status.RUNNING, online=True, call_url="https://call.example.org/night"
    )
    for entry in events.crowd(night, 4):
        entry.player.user = UserFactory.create()
        entry.player.save()
    stage = events.stage(night)
    events.drawn(stage)
    tables = Table.objects.select_related("group", "stage_round__stage__event__season__ranking")
    return tables.get(stage_round__stage=stage, number=1)


def players_at(table: Table) -> list[Client]:
    """Return the browsers of those who sit at an event's table, in the order of the seats."""
    seats = (
        TableSeat.objects.filter(table=table).select_related("entry__player__user").order_by("seat")
    )
    return [signed_in(seat.entry.player.user) for seat in seats]


def opened(table: Table, client: Client) -> OnlineTable:
    """Go to the online table of an event's table."""
    answer = client.post(reverse("event-table-online", args=[table.public_id]))
    online = OnlineTable.objects.get(stage_table=table)
    assert answer["Location"] == reverse("online-table", args=[online.public_id])
    return online


def be_present(online: OnlineTable, *clients: Client) -> None:
    for client in clients:
        client.post(reverse("online-table-present", args=[online.public_id]))
    online.refresh_from_db()


def page_of(online: OnlineTable, client: Client) -> str:
    return client.get(reverse("online-table", args=[online.public_id])).content.decode()


def test_to_my_table_leads_everybody_who_sits_there_to_one_online_table(table: Table) -> None:
    clients = players_at(table)
    page = clients[0].get(reverse("table", args=[table.public_id])).content.decode()
    assert reverse("event-table-online", args=[table.public_id]) in page
    assert len({opened(table, client).pk for client in clients}) == 1
    online = OnlineTable.objects.get()
    drawn = (
        TableSeat.objects.filter(table=table)
        .order_by("seat")
        .values_list("entry__player", flat=True)
    )
    assert list(online.seats.order_by("number").values_list("player", flat=True)) == list(drawn)
    assert LogEntry.objects.filter(action=PlayAction.TABLE_OPENED).count() == 1


def test_strangers_neither_open_an_event_s_table_nor_see_its_call(table: Table) -> None:
    url = reverse("event-table-online", args=[table.public_id])
    assert Client().post(url).status_code == 404
    assert signed_in(UserFactory.create()).post(url).status_code == 404
    online = opened(table, players_at(table)[0])
    assert "call.example.org" in page_of(online, players_at(table)[0])
    assert "call.example.org" not in page_of(online, Client())


def test_an_event_that_isn_t_online_has_no_online_tables(table: Table) -> None:
    Event.objects.update(online=False)
    assert (
        players_at(table)[0].post(reverse("event-table-online", args=[table.public_id])).status_code
        == 404
    )


def test_a_table_has_the_pace_of_its_event_when_it_opens(table: Table) -> None:
    Event.objects.update(move_seconds=20, bank_seconds=45)
    clients = players_at(table)
    online = opened(table, clients[0])
    assert (online.move_seconds, online.bank_seconds) == (20, 45)
    assert "20 seconds for a move, and 45 more for the whole game." in page_of(online, clients[0])
    be_present(online, *clients)
    assert set(online.seats.values_list("bank", flat=True)) == {45}


def test_another_pace_of_the_event_changes_no_table_that_is_open(table: Table) -> None:
    clients = players_at(table)
    online = opened(table, clients[0])
    event = table.stage_round.stage.event
    event_change(event=event, actor=events.ACTOR, move_seconds=20, bank_seconds=0)
    assert opened(table, clients[1]) == online
    be_present(online, *clients)
    assert (online.move_seconds, online.bank_seconds) == (60, 120)
    assert set(online.seats.values_list("bank", flat=True)) == {120}
    OnlineTable.objects.update(status=OnlineTable.Status.ABANDONED)
    players_at(table)[0].post(reverse("event-table-online", args=[table.public_id]))
    assert OnlineTable.objects.get(status=OnlineTable.Status.LOBBY).move_seconds == 20, (
        "the next one has it"
    )


@pytest.mark.parametrize("is_online", [True, False])
def test_the_page_of_an_online_event_tells_its_pace(table: Table, is_online: bool) -> None:
    Event.objects.update(online=is_online)
    event = table.stage_round.stage.event
    page = Client().get(reverse("event", args=[event.club.slug, event.slug])).content.decode()
    assert ("60 seconds for a move, and 120 more for the whole game." in page) == is_online


def test_the_game_begins_once_everybody_is_there_and_counts_at_the_table(table: Table) -> None:
    clients = players_at(table)
    online = opened(table, clients[0])
    be_present(online, *clients[:3])
    assert online.status == OnlineTable.Status.LOBBY
    be_present(online, clients[3], clients[3])
    assert online.status == OnlineTable.Status.PLAYING
    play_to_the_end(online, clients)
    online.refresh_from_db()
    table.refresh_from_db()
    assert online.uncounted is None
    assert TableGame.objects.get().game == Game.objects.get() == online.game
    assert table.finished
    differences = [str(each) for each in club_differences(online.club_id)]
    assert [each for each in differences if not each.startswith("player.account")] == []
    page = clients[0].get(reverse("table", args=[table.public_id])).content.decode()
    assert reverse("game", args=[Game.objects.get().public_id]) in page


def test_everybody_can_watch_on_the_event_s_own_live_page(table: Table) -> None:
    clients = players_at(table)
    online = opened(table, clients[0])
    be_present(online, *clients)
    turn = game_of(online).sheet.round.turn
    act(online, clients[turn], "bid", field="3", face="4")
    live = Client().get(reverse("table-live", args=[table.public_id]))
    assert live.status_code == 200
    act(online, clients[(turn + 1) % 4], "challenge")
    assert Client().get(reverse("table-live", args=[table.public_id])).status_code == 200
    assert Client().get(reverse("hall", args=[online.club.slug, "night-1"])).status_code == 200
    sheet = (
        Client()
        .get(reverse("open-game", args=[game_of(online).row.open_game.public_id]))
        .content.decode()
    )
    assert "lifted the cups" in sheet


def test_the_hall_leads_everybody_to_an_online_table_in_play(table: Table) -> None:
    clients = players_at(table)
    online = opened(table, clients[0])
    hall = reverse("hall", args=[online.club.slug, "night-1"])
    way = reverse("online-table", args=[online.public_id])
    assert way not in Client().get(hall).content.decode(), "the game hasn't begun"
    be_present(online, *clients)
    assert way in Client().get(hall).content.decode()
    assert Client().get(way).status_code == 200
    play_to_the_end(online, clients)
    assert way not in Client().get(hall).content.decode(), "the game is over"


def test_b17_who_doesn_t_come_in_ten_minutes_loses_their_dice(table: Table) -> None:
    clients = players_at(table)
    online = opened(table, clients[0])
    be_present(online, *clients[:2])
    url = reverse("online-table-begin-without", args=[online.public_id])
    clients[0].post(url)
    online.refresh_from_db()
    assert online.status == OnlineTable.Status.LOBBY, "ten minutes aren't over"
    with later(601):
        assert "Begin without them" in page_of(online, clients[0])
        assert clients[3].post(url).status_code == 404, "not for those who aren't there"
        clients[0].post(url)
    sheet = game_of(online).sheet
    assert [dice > 0 for dice in sheet.game.owned] == [True, True, False, False]
    play_to_the_end(online, clients)
    table.refresh_from_db()
    assert table.finished


def test_one_alone_doesn_t_begin(table: Table) -> None:
    clients = players_at(table)
    online = opened(table, clients[0])
    be_present(online, clients[0])
    with later(601):
        answer = clients[0].post(
            reverse("online-table-begin-without", args=[online.public_id]), follow=True
        )
    assert "fewer than two" in answer.content.decode()
    assert not SheetEntry.objects.exists()


def test_a_scorer_pauses_the_game_and_no_time_runs_meanwhile(table: Table, desk: Client) -> None:
    clients = players_at(table)
    online = opened(table, clients[0])
    be_present(online, *clients)
    turn = game_of(online).sheet.round.turn
    assert (
        clients[0].post(reverse("online-table-pause", args=[online.public_id])).status_code == 404
    )
    desk.post(reverse("online-table-pause", args=[online.public_id]))
    act(online, clients[turn], "bid", field="3", face="4")
    assert not SheetEntry.objects.exists(), "nobody acts"
    with later(3600):
        desk.post(reverse("online-table-resume", args=[online.public_id]))
        time_up = reverse("online-table-time-up", args=[online.public_id])
        clients[turn - 1].post(time_up)
        assert not SheetEntry.objects.exists(), "the pause took no time"
        act(online, clients[turn], "bid", field="3", face="4")
    assert SheetEntry.objects.count() == 1
    online.refresh_from_db()
    assert online.paused_seconds == 0
    assert online.seats.get(number=turn).bank == online.bank_seconds
    actions = [PlayAction.TABLE_PAUSED, PlayAction.TABLE_RESUMED]
    assert LogEntry.objects.filter(action__in=actions).count() == 2


def test_a_player_without_an_account_sits_down_by_a_scorer_s_link(
    table: Table, desk: Client
) -> None:
    seat = TableSeat.objects.filter(table=table).order_by("seat")[0]
    player = seat.entry.player
    player.user = None
    player.save()
    online = opened(table, players_at_others(table)[0])
    answer = desk.post(
        reverse("online-table-link", args=[online.public_id]), {"seat": 0}, follow=True
    )
    link = answer.content.decode().partition(
        f"{reverse('online-table', args=[online.public_id])}seat/"
    )[2]
    phone = Client()
    phone.get(reverse("online-table-seat", args=[online.public_id, link.partition("/")[0]]))
    be_present(online, phone)
    assert online.seats.get(number=0).present_at is not None


def players_at_others(table: Table) -> list[Client]:
    """Return the browsers of those at a table who have an account."""
    seats = TableSeat.objects.filter(table=table, entry__player__user__isnull=False).order_by(
        "seat"
    )
    return [
        signed_in(seat.entry.player.user) for seat in seats.select_related("entry__player__user")
    ]


def test_who_is_drawn_to_another_table_before_the_game_gives_up_the_seat(table: Table) -> None:
    clients = players_at(table)
    online = opened(table, clients[0])
    be_present(online, clients[0])
    seats = list(
        TableSeat.objects.filter(table=table).order_by("seat").values_list("entry", flat=True)
    )
    TableSeat.objects.filter(table=table).delete()
    for number, entry in enumerate(seats[::-1]):
        TableSeat.objects.create(table=table, seat=number, entry_id=entry)
    opened(table, clients[0])
    seated = list(online.seats.order_by("number").values_list("player__handle", "present_at"))
    assert [present is not None for _, present in seated] == [False, False, False, True]


def test_the_game_begins_where_only_those_are_left_who_are_there(table: Table) -> None:
    clients = players_at(table)
    online = opened(table, clients[0])
    be_present(online, *clients[:3])
    TableSeat.objects.filter(table=table).order_by("-seat")[:1].get().delete()
    for _ in range(2):
        opened(table, clients[1])
    online.refresh_from_db()
    assert online.status == OnlineTable.Status.PLAYING
    assert online.seats.count() == 3


def test_the_page_of_an_event_s_table_asks_for_no_more_with_each_seat(table: Table) -> None:
    clients = players_at(table)
    online = opened(table, clients[0])
    page_of(online, clients[0])
    with CaptureQueriesContext(connection) as queries:
        page_of(online, clients[0])
    assert len(queries) <= 12
    assert online.made_at < timezone.now() + timedelta(seconds=1)
    assert online.open_game_id is None or online_game(online.open_game_id)
