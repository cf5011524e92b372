"""How tests play at an online table: by its pages, as the account of each seat."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from unittest.mock import patch
from uuid import uuid4

from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.models import SheetEntry
from games.queries.online_game import OnlineGame, online_game
from league.core.account.models import User
from league.models import OnlineTable


@contextmanager
def later(seconds: int) -> Iterator[None]:
    """Let the clock say so many seconds more."""
    now = timezone.now() + timedelta(seconds=seconds)
    with patch("django.utils.timezone.now", return_value=now):
        yield


def signed_in(user: User | None) -> Client:
    """Return the browser of an account."""
    assert user is not None
    client = Client()
    client.force_login(user)
    return client


def seats_in(table: OnlineTable) -> list[Client]:
    """Return the browsers of the accounts that sit at a table, in the order of the seats."""
    return [signed_in(seat.user) for seat in table.seats.select_related("user").order_by("number")]


def game_of(table: OnlineTable) -> OnlineGame:
    """Return the game of a table as it stands."""
    table.refresh_from_db()
    assert table.open_game_id is not None
    return online_game(table.open_game_id)


def act(table: OnlineTable, client: Client, act: str, **fields: object) -> None:
    """Send an act as the page does."""
    length = SheetEntry.objects.filter(sheet__open_game=table.open_game_id).count()
    body = {"act": act, "key": str(uuid4()), "length": length, **fields}
    answer = client.post(reverse("online-table-act", args=[table.public_id]), body)
    assert answer.status_code == 302


def play_to_the_end(table: OnlineTable, clients: list[Client]) -> None:
    """Let the first to act bid eight stars and the next one lift the cups, until the game is
    over."""
    while not game_of(table).sheet.over:
        turn = game_of(table).sheet.round.turn
        if game_of(table).sheet.round.may_challenge():
            act(table, clients[turn], "challenge")
        else:
            act(table, clients[turn], "bid", field="8*", face="*")
        table.refresh_from_db()
