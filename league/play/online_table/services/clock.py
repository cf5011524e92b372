"""The clock of an online table: giving another seat more time."""

from __future__ import annotations

from typing import Final

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Least

from engine.illegal import Illegal, Refused
from engine.messages import say
from games.models import OpenSheet
from games.queries.online_game import online_game
from league.play.online_table.models import OnlineSeat, OnlineTable
from league.play.online_table.queries import may_give_time
from league.play.online_table.services.table import table_changed

SECONDS_GIVEN: Final = 60
"""How many seconds a seat gives at a time."""
MOST_BANK: Final = 7200
"""The most seconds that a seat's bank can hold."""


@transaction.atomic
def time_give(*, table: OnlineTable, by: OnlineSeat, length: int) -> None:
    """Add 60 seconds to the bank of the seat whose turn it is, once for each move.

    `length`: how many entries the giver has seen. Raise `Refused`: `not_started`, or
    `no_more_time` for the giver's own seat, for an automatic player, or for a move that already
    had more time or is over.
    """
    if table.open_game is None:
        raise Refused(Illegal("not_started", say("the game hasn't begun")))
    OpenSheet.objects.select_for_update(no_key=True).get(open_game=table.open_game)
    game = online_game(table.open_game.pk)
    table.refresh_from_db(fields=["time_given"])
    seats = list(table.seats.order_by("number"))
    if game.sheet.over or length != game.row.length or not may_give_time(table, game, by, seats):
        message = say("you can give another player more time only once per move")
        raise Refused(Illegal("no_more_time", message))

    (to_act,) = game.sheet.to_act
    more = Least(F("bank") + SECONDS_GIVEN, MOST_BANK)
    OnlineSeat.objects.filter(pk=seats[to_act].pk).update(bank=more)
    OnlineTable.objects.filter(pk=table.pk).update(time_given=game.row.length)
    table_changed(table)


def time_given_keep(*, open_game: int, length: int) -> None:
    """Keep a move marked as given more time after an entry that isn't a move: a call for the
    arbiter, or a ruling.

    `open_game`: the row id of the game whose sheet the caller has locked. `length`: the length of
    the sheet including that entry.
    """
    tables = OnlineTable.objects.filter(open_game=open_game, time_given=length - 1)
    tables.update(time_given=length)
