"""Tables of Lügen-Kniffel, and what their seats do by the pages."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, Final
from uuid import uuid4

from django.test import Client
from django.urls import reverse

from engine.kniffel.combinations import ANNOUNCEABLE
from engine.sheet.kniffel.online import KniffelSheet
from games.models import Kind, SheetEntry
from league.models import Club, OnlineTable, Role
from league.play.online_table.services.lobby import online_table_open
from tests.factories.league import MembershipFactory
from tests.league.play.online_table.test_game import (
    SETTINGS,
    game_of,
    guest_at,
    host_of,
    page_of,
    started,
)

__all__ = ["page_of"]
RULES: Final = {"truth": "exact", "allow_zero": False}
KNIFFEL_SETTINGS: Final = SETTINGS | {"kind": Kind.LUEGEN_KNIFFEL, "most_seats": 8}


def opened(club: Club) -> OnlineTable:
    """A lobby in which the host sits alone."""
    user = MembershipFactory.create(club=club, role=Role.SCORER).user
    return online_table_open(club=club, user=user, rules=RULES, settings=KNIFFEL_SETTINGS)


def kniffel_table(table: OnlineTable, guests: int) -> list[Client]:
    """Begin the game of the host and so many guests; their browsers, by seat."""
    clients = [host_of(table), *[guest_at(table, f"Guest {number}") for number in range(guests)]]
    started(table)
    return clients


def sheet_of(table: OnlineTable) -> KniffelSheet:
    sheet = game_of(table).sheet
    assert isinstance(sheet, KniffelSheet)
    return sheet


def act(table: OnlineTable, client: Client, act: str, **fields: object) -> str:
    """Send an act; return the page that follows."""
    length = SheetEntry.objects.filter(sheet__open_game=table.open_game_id).count()
    body: dict[str, Any] = {"act": act, "key": str(uuid4()), "length": length, **fields}
    answer = client.post(reverse("online-table-act", args=[table.public_id]), body, follow=True)
    assert answer.status_code == 200
    return answer.content.decode()


def announce(table: OnlineTable, clients: Sequence[Client], say: str) -> int:
    """Let the roller roll once and announce something; the roller's seat."""
    roller = sheet_of(table).to_act[0]
    act(table, clients[roller], "roll")
    act(table, clients[roller], "announce", say=say)
    return roller


def answer(table: OnlineTable, client: Client, act_name: str, turn: int | None = None) -> str:
    turn = sheet_of(table).closed if turn is None else turn
    return act(table, client, act_name, turn=turn, length="")


def play_on(table: OnlineTable, clients: Sequence[Client], chance: Random) -> None:
    """Play a game to its end, at random; automatic players act by themselves."""
    while table.status == OnlineTable.Status.PLAYING:
        step(table, clients, chance)
        table.refresh_from_db()


def step(table: OnlineTable, clients: Sequence[Client], chance: Random) -> None:
    """Let one of the seats act for which the table waits."""
    sheet = sheet_of(table)
    seat = chance.choice(sheet.to_act)
    if sheet.asks_all:
        answer(table, clients[seat], chance.choice(["believe", "doubt"]))
    elif not sheet.rolls:
        act(table, clients[seat], "roll")
    elif sheet.rolls < 3 and chance.random() < 0.3:
        keep = [] if sheet.rolls > 1 else chance.sample(range(5), chance.randrange(3))
        act(table, clients[seat], "roll", keep=keep)
    else:
        name = chance.choice(
            [name for name, field in sheet.game.sheets[seat].items() if not field.filled]
        )
        act(
            table,
            clients[seat],
            "announce",
            say=f"{name}={chance.choice(sorted(ANNOUNCEABLE[name]))}",
        )
