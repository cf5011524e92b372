"""An unsent move: there on each device of its own seat until a move is made, and nowhere else."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Mapping
from typing import Any, Final
from unittest.mock import patch

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.models import HiddenAct, SheetEntry
from league.core.log.models import LogEntry
from league.models import Club, OnlineTable
from league.play.online_table.queries import spectators_state, table_version
from tests.league.play.online_table import kniffel
from tests.league.play.online_table.playing import act, game_of, signed_in
from tests.league.play.online_table.test_game import guest_at, page_of
from tests.league.play.online_table.test_secrecy import playing, without_keys

pytestmark = pytest.mark.django_db
BID: Final = {"field": "7", "face": "5", "roll": ["0", "2"]}
CHOSEN: Final = {"field": ["7"], "face": ["5"], "roll": ["0", "2"]}
ROLL: Final = {"keep": ["1", "3"], "say": "chance=20"}


class Seats:
    """A table in play with two guests: the seat that is to act, the other seats, and a
    spectator."""

    def __init__(self, table: OnlineTable, clients: list[Client]) -> None:
        self.table = table
        self.clients = clients
        self.spectator = Client()

    @property
    def number(self) -> int:
        """The seat that is to act."""
        number: int = game_of(self.table).sheet.to_act[0]
        return number

    @property
    def mine(self) -> Client:
        return self.clients[self.number]

    @property
    def waiting(self) -> list[Client]:
        return [client for client in self.clients if client is not self.mine]

    def keep(self, chosen: Mapping[str, Any], client: Client | None = None) -> int:
        """Send what is chosen, as the page's script does; return the status."""
        body = {"length": game_of(self.table).row.length, **chosen}
        url = reverse("online-table-unsent", args=[self.table.public_id])
        return (client or self.mine).post(url, body).status_code

    def shown(self, client: Client | None = None) -> Any:
        """What the page of a seat tells its script; None if it tells nothing."""
        page = page_of(self.table, client or self.mine)
        kept = re.search(r'data-unsent-move="([^"]*)"', page)
        return None if kept is None else json.loads(html.unescape(kept[1]))


@pytest.fixture
def bluff(club: Club) -> Seats:
    return Seats(*playing(club, guests=2))


@pytest.fixture
def rolled(club: Club) -> Seats:
    """A game of Lügen-Kniffel in which the roller has rolled once."""
    table = kniffel.opened(club)
    clients = kniffel.kniffel_table(table, guests=2)
    seats = Seats(table, clients)
    kniffel.act(table, seats.mine, "roll")
    return seats


def test_a_bid_and_the_dice_that_roll_again_are_there_on_another_device(bluff: Seats) -> None:
    assert bluff.shown() is None
    assert bluff.keep(BID) == 204
    assert bluff.shown() == CHOSEN
    assert bluff.keep({"field": "8*", "face": "5"}) == 204
    assert bluff.shown() == {"field": ["8*"], "face": ["5"], "roll": []}, "the latest choice alone"


def test_the_dice_that_stay_and_what_is_to_be_announced_are_there_on_another_device(
    rolled: Seats,
) -> None:
    assert rolled.keep(ROLL) == 204
    assert rolled.shown() == {"keep": ["1", "3"], "say": ["chance=20"]}


def test_an_account_finds_it_wherever_it_signs_in(bluff: Seats) -> None:
    for bid in ("3x4", "4x4"):
        if bluff.number != 0:
            act(bluff.table, bluff.mine, "bid", typed=bid)
    bluff.keep(BID)
    elsewhere = signed_in(bluff.table.seats.get(number=0).user)
    assert bluff.shown(elsewhere) == CHOSEN


def test_a_move_drops_it(bluff: Seats) -> None:
    bluff.keep(BID)
    key = f"unsent:{bluff.table.public_id}:{bluff.number}"
    assert cache.get(key)
    act(bluff.table, bluff.mine, "bid", field="3", face="4")
    assert cache.get(key) is None


def test_it_is_that_of_one_length_of_the_sheet(bluff: Seats) -> None:
    bluff.keep(BID)
    before = game_of(bluff.table).row.length
    act(bluff.table, bluff.waiting[0], "leave")
    assert game_of(bluff.table).row.length > before
    assert bluff.shown() is None, "the round is played again, with other dice"
    bluff.keep(BID)
    for length in (before, before + 100):
        assert bluff.keep({"length": length, "field": "3", "face": "4"}) == 204
    assert bluff.shown() == CHOSEN, "what comes too late replaces nothing"


def test_a_move_that_the_rules_refuse_leaves_it_there(bluff: Seats) -> None:
    bluff.keep(BID)
    act(bluff.table, bluff.mine, "bid", typed="9x9")
    assert not SheetEntry.objects.exists()
    assert bluff.shown() == CHOSEN


@pytest.mark.parametrize(
    "forged",
    [
        {"field": "7" * 50},
        {"field": "<b>"},
        {"face": "9"},
        {"roll": ["99"]},
        {"roll": ["0"] * 900},
        {"length": ""},
        {"length": "-1"},
        {"length": "9" * 5000},
        {"more": "x" * 100_000},
    ],
    ids=lambda forged: str(forged)[:20],
)
def test_a_forged_or_huge_bid_is_refused_and_not_kept(bluff: Seats, forged: dict[str, Any]) -> None:
    with patch("league.play.online_table.services.unsent.cache.set") as kept:
        assert bluff.keep(BID | forged) == 400
    assert not kept.called
    assert bluff.shown() is None


@pytest.mark.parametrize("forged", [{"keep": ["5"]}, {"say": "chance=20" * 3}], ids=str)
def test_a_forged_roll_is_refused_and_not_kept(rolled: Seats, forged: dict[str, Any]) -> None:
    assert rolled.keep(ROLL | forged) == 400
    assert rolled.shown() is None


def test_nobody_keeps_one_for_another_seat(bluff: Seats) -> None:
    assert bluff.keep(BID, bluff.spectator) == 404
    assert [bluff.keep(BID, client) for client in bluff.waiting] == [204, 204]
    assert bluff.shown() is None


def test_there_is_none_in_a_lobby(club: Club) -> None:
    table = kniffel.opened(club)
    url = reverse("online-table-unsent", args=[table.public_id])
    assert guest_at(table).post(url, {"length": 0, **ROLL}).status_code == 204
    assert cache.get(f"unsent:{table.public_id}:1") is None


def test_a_seat_that_sends_too_often_is_held_up_and_no_other(bluff: Seats, settings: Any) -> None:
    settings.RATE_LIMITS = {"seat": (2, 600)}
    assert [bluff.keep(BID) for _ in range(3)] == [204, 204, 429]
    assert bluff.keep(BID, bluff.waiting[0]) == 204


@pytest.mark.parametrize("game", ["bluff", "rolled"])
def test_nobody_else_is_sent_anything_of_it(game: str, request: pytest.FixtureRequest) -> None:
    """Everybody else's page stays the same to the byte; nothing is written, told or logged.

    The page of spectators is kept, so its queries tell nothing.
    """
    seats: Seats = request.getfixturevalue(game)
    table = seats.table
    others = [_sent(table, client) for client in seats.waiting]
    spectators_page = _sent(table, seats.spectator)[:2]
    own = _sent(table, seats.mine)
    before = _traces(table)
    telling = patch("league.play.online_table.services.table.table_notify")
    with telling as tell, CaptureQueriesContext(connection) as queries:
        assert seats.keep(BID if game == "bluff" else ROLL) == 204
    assert not tell.called
    assert [query["sql"] for query in queries if not query["sql"].startswith("SELECT")] == []
    assert [_sent(table, client) for client in seats.waiting] == others
    assert _sent(table, seats.spectator)[:2] == spectators_page
    assert _traces(table) == before
    shown = _sent(table, seats.mine)
    assert shown[0] != own[0], "the seat itself gets it"
    assert shown[1:] == own[1:], "by the same headers and as many queries"


def _sent(table: OnlineTable, client: Client) -> tuple[str, str, int]:
    """The page that somebody is sent, what it may be kept by, and the queries that it took."""
    with CaptureQueriesContext(connection) as queries:
        answer = client.get(reverse("online-table", args=[table.public_id]))
    kept_by = [answer.get(name, "") for name in ("ETag", "Cache-Control", "Vary")]
    return without_keys(answer.content.decode()), " ".join(kept_by), len(queries)


def _traces(table: OnlineTable) -> tuple[object, ...]:
    """What the versions, the log and the sheet of a table have come to."""
    return (
        table_version(table.public_id),
        spectators_state(table.public_id),
        LogEntry.objects.count(),
        SheetEntry.objects.count(),
        HiddenAct.objects.count(),
    )


def test_the_page_of_one_who_waits_tells_nothing_even_of_their_own(bluff: Seats) -> None:
    waiting = bluff.waiting[0]
    bluff.keep(BID, waiting)
    page = page_of(bluff.table, waiting)
    assert "data-unsent-" not in page
