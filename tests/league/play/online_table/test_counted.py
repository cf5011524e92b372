"""Games of online tables that count in a season."""

from __future__ import annotations

import json

import pytest
from django.test import Client
from django.urls import reverse

from engine.illegal import Refused
from games.models import Game
from league.core.log.models import LogEntry
from league.core.log.services import Actor, club_journal
from league.core.player.services.merge import players_merge
from league.disputes.hearing.services import hearing_open
from league.models import Club, OnlineSeat, OnlineTable, Player, Role, Season, SeasonGame
from league.play.online_table.services.game import counted_turns_end
from league.play.online_table.services.lobby import (
    automatic_sit,
    online_table_open,
    seat_take,
    table_start,
)
from league.standings.ranked_game.actions import GameAction
from tests.factories.league import MembershipFactory, PlayerFactory, SeasonFactory, UserFactory
from tests.league.disputes.ruling.rulings import ruled
from tests.league.play.online_table.playing import (
    act,
    game_of,
    later,
    play_to_the_end,
    seats_in,
    signed_in,
)
from tests.league.site.audit.differences import club_differences

pytestmark = pytest.mark.django_db
SETTINGS = {"most_seats": 3, "move_seconds": 60, "bank_seconds": 30}


@pytest.fixture
def season(club: Club) -> Season:
    return SeasonFactory.create(club=club, online=True, rules={"dice": 2, "exact": "all"})


@pytest.fixture
def players(club: Club) -> list[Player]:
    return [
        PlayerFactory.create(club=club, handle=name, user=UserFactory.create())
        for name in ("anna", "ben")
    ]


@pytest.fixture
def table(season: Season, players: list[Player]) -> OnlineTable:
    """A lobby in which two players of the club sit."""
    user = players[0].user
    assert user is not None
    rules = {**season.rules, "reroll": False, "scoring": "cntdice"}
    table = online_table_open(
        club=season.club, user=user, rules=rules, settings=SETTINGS, season=season
    )
    seat_take(table=table, user=players[1].user, name="")
    return table


def test_a_player_opens_a_table_that_counts_and_the_season_settles_what_it_has_agreed(
    season: Season, players: list[Player]
) -> None:
    client = signed_in(players[0].user)
    url = reverse("online-table-new", args=[season.club.slug])
    page = client.get(url, {"season": season.slug}).content.decode()
    assert 'name="exact"' not in page, "the season has agreed on it"
    form = {"most_seats": 4, "scoring": "cntdice", "move_seconds": 60, "bank_seconds": 0}
    answer = client.post(f"{url}?season={season.slug}", form)
    table = OnlineTable.objects.get()
    assert answer["Location"] == reverse("online-table", args=[table.public_id])
    assert table.season == season
    assert table.rules == {"dice": 2, "exact": "all", "reroll": False, "scoring": "cntdice"}
    assert season.name in client.get(answer["Location"]).content.decode()


def test_only_a_season_that_says_so_takes_games_of_online_tables(
    season: Season, players: list[Player]
) -> None:
    Season.objects.update(online=False)
    client = signed_in(players[0].user)
    url = reverse("online-table-new", args=[season.club.slug])
    assert client.get(url, {"season": season.slug}).status_code == 404


def test_neither_guests_nor_strangers_nor_automatic_players_sit_at_a_counted_table(
    table: OnlineTable,
) -> None:
    sit = reverse("online-table-sit", args=[table.public_id])
    Client().post(sit, {"name": "Gust"})
    signed_in(UserFactory.create()).post(sit)
    with pytest.raises(Refused, match="automatic players can't sit here"):
        automatic_sit(table=table, strength="easy")
    assert table.seats.count() == 2


def test_a_counted_game_stands_in_the_season_with_its_dice(
    table: OnlineTable, season: Season
) -> None:
    clients = seats_in(table)
    table_start(table=table)
    play_to_the_end(table, clients)
    table.refresh_from_db()
    game = Game.objects.get()
    assert (table.status, table.game, table.uncounted) == (OnlineTable.Status.OVER, game, None)
    assert SeasonGame.objects.get(game=game).season == season
    assert sorted(game.seats.values_list("handle", flat=True)) == ["anna", "ben"]
    entry = LogEntry.objects.get(action=GameAction.SEALED)
    payload = json.loads(entry.payload)
    assert payload["online_table"] == table.public_id
    assert payload["by"] == {"automatic": "dealer"}
    assert [str(difference) for difference in club_differences(season.club_id)] == []
    page = clients[0].get(reverse("online-table", args=[table.public_id])).content.decode()
    assert reverse("game", args=[game.public_id]) in page


def test_the_end_of_a_counted_game_is_marked_while_its_result_is_disputed(
    table: OnlineTable, season: Season
) -> None:
    clients = seats_in(table)
    table_start(table=table)
    play_to_the_end(table, clients)
    address = reverse("online-table", args=[table.public_id])
    before = Client().get(address)
    assert "provisional" not in before.content.decode()
    arbiter = MembershipFactory.create(club=season.club, role=Role.ARBITER).user
    game = Game.objects.select_related(
        "season_game__season__club", "season_game__season__ranking"
    ).get()
    hearing_open(game=game, word="Who called?", actor=Actor(arbiter.pk))
    assert "provisional" in clients[0].get(address).content.decode()
    assert (
        "provisional"
        in Client().get(address, headers={"If-None-Match": before["ETag"]}).content.decode()
    )
    ruled(game, arbiter)
    assert "provisional" not in Client().get(address).content.decode()


def test_a_game_that_can_t_be_counted_is_kept_as_a_friendly_one_and_says_why(
    table: OnlineTable, players: list[Player], season: Season
) -> None:
    clients = seats_in(table)
    table_start(table=table)
    with club_journal(season.club_id) as journal:
        players_merge(journal, players[0], players[1])
    play_to_the_end(table, clients)
    table.refresh_from_db()
    assert table.status == OnlineTable.Status.OVER
    assert table.game is not None
    assert not SeasonGame.objects.exists()
    page = clients[0].get(reverse("online-table", args=[table.public_id])).content.decode()
    assert "two seats are the same player" in page


def test_b17_a_counted_turn_ends_by_itself_after_time_bank_and_a_minute_of_grace(
    table: OnlineTable,
) -> None:
    table_start(table=table)
    turn = game_of(table).sheet.round.turn

    with later(60 + 30 + 50):
        assert counted_turns_end() == 0
    with later(60 + 30 + 61):
        assert counted_turns_end() == 1
        assert counted_turns_end() == 0, "twice is once"
    table.refresh_from_db()
    assert table.status == OnlineTable.Status.OVER
    assert game_of(table).sheet.sheet.ending.rank == tuple(
        2 if seat == turn else 1 for seat in range(2)
    )


def test_the_other_seat_waits_out_the_grace_before_playing_on(table: OnlineTable) -> None:
    clients = seats_in(table)
    table_start(table=table)
    turn = game_of(table).sheet.round.turn
    OnlineSeat.objects.update(bank=0)
    url = reverse("online-table-time-up", args=[table.public_id])
    for seconds, is_over in ((110, False), (121, True)):
        with later(seconds):
            clients[1 - turn].post(url)
        table.refresh_from_db()
        assert (table.status == OnlineTable.Status.OVER) == is_over


def test_a_game_of_luegen_kniffel_counts_too_and_its_sheet_tells_it(
    club: Club, players: list[Player]
) -> None:
    season = SeasonFactory.create(club=club, online=True, kind="luegen-kniffel", rules={})
    user = players[0].user
    assert user is not None
    rules = {"truth": "exact", "allow_zero": False}
    settings = {**SETTINGS, "kind": "luegen-kniffel"}
    table = online_table_open(club=club, user=user, rules=rules, settings=settings, season=season)
    seat_take(table=table, user=players[1].user, name="")
    table_start(table=table)
    clients = seats_in(table)
    (roller,) = game_of(table).sheet.to_act
    act(table, clients[roller], "roll")
    act(table, clients[roller], "announce", say="chance=20")
    act(table, clients[1 - roller], "believe", turn=0)
    sheet = reverse("open-game", args=[game_of(table).row.open_game.public_id])
    assert "answered" in Client().get(sheet).content.decode()
    act(table, clients[roller], "leave")
    table.refresh_from_db()
    assert table.uncounted is None
    assert SeasonGame.objects.get(game=table.game).season == season
    assert "left the game" in Client().get(sheet).content.decode()
    assert [str(difference) for difference in club_differences(club.pk)] == []
