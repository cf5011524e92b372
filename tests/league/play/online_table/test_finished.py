"""“Finished 1 of 2” on a player's page: who leaves a game or runs out of time hasn't finished
it."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from league.core.log.services import Actor
from league.models import Club, OnlineSeat, OnlineTable, Player, Season, User
from league.play.online_table.queries import finished_games
from league.play.online_table.services.lobby import online_table_open
from league.site.erasure.services.erasure import player_erase
from tests.factories.league import PlayerFactory, UserFactory
from tests.league.core.frame.api.programs import play
from tests.league.play.online_table.test_game import (
    RULES,
    SETTINGS,
    act,
    game_of,
    guest_at,
    host_of,
    started,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def player(season: Season) -> Player:
    """A player with an account, who has a page because of a game in a season."""
    play(season, 1)
    Player.objects.filter(handle="anna").update(user=UserFactory.create())
    return Player.objects.get(handle="anna")


def opened(club: Club, user: User | None) -> OnlineTable:
    assert user is not None
    return online_table_open(club=club, user=user, rules=RULES, settings=SETTINGS)


def ended(table: OnlineTable, leaves: int) -> None:
    """Play a game of two that ends because a seat leaves it."""
    clients = [host_of(table), guest_at(table)]
    started(table)
    act(table, clients[leaves], "leave")


def page_of(player: Player, language: str = "en") -> str:
    return (
        Client()
        .get(reverse("player", args=[player.public_id]), headers={"Accept-Language": language})
        .content.decode()
    )


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "finished 1 of 2"), ("de", "1 von 2 beendet"), ("nl", "1 van de 2 uitgespeeld")],
)
def test_whoever_leaves_hasnt_finished_the_game(player: Player, language: str, words: str) -> None:
    assert "Online:" not in page_of(player)
    for leaves in (0, 1):
        ended(opened(player.club, player.user), leaves)
    assert words in page_of(player, language)


def test_whoever_runs_out_of_time_hasnt_finished_the_game_and_one_in_play_isnt_counted(
    player: Player,
) -> None:
    table = opened(player.club, player.user)
    clients = [host_of(table), guest_at(table)]
    turn = game_of(started(table)).sheet.round.turn
    assert finished_games(player) == (0, 0)
    OnlineTable.objects.update(move_seconds=0)
    OnlineSeat.objects.update(bank=0)
    clients[1 - turn].post(reverse("online-table-time-up", args=[table.public_id]))
    assert finished_games(player) == (int(turn == 1), 1)


def test_a_seat_kept_as_a_guest_counts_once_the_account_is_the_player(club: Club) -> None:
    table = opened(club, UserFactory.create())
    host, guest = host_of(table), guest_at(table)
    user = UserFactory.create()
    guest.force_login(user)
    guest.post(reverse("online-table-keep", args=[table.public_id]))
    started(table)
    act(table, host, "leave")
    assert finished_games(PlayerFactory.create(club=club, handle="greta", user=user)) == (1, 1)


def test_one_query_tells_it_and_nothing_is_told_of_the_erased(player: Player) -> None:
    for leaves in (0, 1, 1):
        ended(opened(player.club, player.user), leaves)
    with CaptureQueriesContext(connection) as queries:
        assert finished_games(player) == (2, 3)
    assert len(queries) == 1
    assert player_erase(player=player, actor=Actor())
    player.refresh_from_db()
    assert finished_games(player) == (0, 0)
    assert "Online:" not in page_of(player)
