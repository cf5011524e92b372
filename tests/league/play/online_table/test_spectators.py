"""The page of spectators is made once for all of them, and never that of a seat."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.core.cache import caches
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries as Queries

from games.queries.online_game import cup_of
from league.core.frame.rendering import RENDERINGS
from league.models import Club, OnlineSeat, OnlineTable, Role
from league.play.online_table.services.lobby import online_table_open
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
DICE = 'id="my-dice"'


@pytest.fixture(autouse=True)
def _nothing_is_kept() -> None:
    caches[RENDERINGS].clear()


@pytest.fixture
def table(club: Club) -> OnlineTable:
    user = MembershipFactory.create(club=club, role=Role.SCORER).user
    return online_table_open(club=club, user=user, rules=RULES, settings=SETTINGS)


def test_the_page_is_made_once_for_all_spectators_of_a_language(
    table: OnlineTable, django_assert_num_queries: Queries
) -> None:
    guest_at(table)
    started(table)
    page_of(table, Client())
    page = page_of(table, Client())
    with django_assert_num_queries(1):
        assert page_of(table, Client()) == page
    address = reverse("online-table", args=[table.public_id])
    assert (
        "Du schaust zu."
        in Client().get(address, headers={"Accept-Language": "de"}).content.decode()
    )
    assert "You are watching." in page_of(table, Client())


def test_it_follows_each_act_at_the_table(table: OnlineTable) -> None:
    clients = [host_of(table), guest_at(table)]
    turn = game_of(started(table)).sheet.round.turn
    assert 'aria-label="3 fours"' not in page_of(table, Client())
    act(table, clients[turn], "bid", field="3", face="4")
    assert 'aria-label="3 fours"' in page_of(table, Client())
    act(table, clients[1 - turn], "challenge")
    assert "data-count" in page_of(table, Client())


def test_a_seat_is_sent_its_own_page_and_that_is_never_kept(table: OnlineTable) -> None:
    clients = [host_of(table), guest_at(table)]
    started(table)
    for _ in range(2):
        for client in clients:
            assert DICE in page_of(table, client), "nobody gets what is kept for spectators"
            assert DICE not in page_of(table, Client()), "what a seat sees isn't kept"
    for number, client in enumerate(clients):
        own_dice = page_of(table, client).partition(DICE)[2].partition("</p>")[0]
        assert "".join(re.findall(r"svg#d(.)", own_dice)).replace("s", "*") == cup_of(
            game_of(table), number
        )
    for client in clients:
        answer = client.get(reverse("online-table", args=[table.public_id]))
        assert "no-store" in answer["Cache-Control"]
        assert "ETag" not in answer


def test_the_lobby_isnt_kept(table: OnlineTable) -> None:
    answer = Client().get(reverse("online-table", args=[table.public_id]))
    assert "no-store" in answer["Cache-Control"]
    guest_at(table, "Zora")
    assert "Zora" in page_of(table, Client())


def test_a_phrase_goes_from_the_page_after_a_while(table: OnlineTable) -> None:
    guest = guest_at(table)
    started(table)
    guest.post(reverse("online-table-say", args=[table.public_id]), {"phrase": "dare"})
    for _ in range(2):
        assert "Do you dare?" in page_of(table, Client())
    OnlineSeat.objects.filter(table=table).update(phrase_at=timezone.now() - timedelta(minutes=1))
    assert "Do you dare?" not in page_of(table, Client())


def test_an_erased_name_goes_from_the_page_at_once(table: OnlineTable) -> None:
    guest = guest_at(table, "Zora")
    started(table)
    for _ in range(2):
        assert "Zora" in page_of(table, Client())
    guest.post(reverse("online-table-erase", args=[table.public_id]), {"seat": 1})
    assert "Zora" not in page_of(table, Client())
