"""The clock of an online table: more time for a seat, given by another one."""

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
"""So many seconds a seat gives at once."""
MOST_BANK: Final = 7200
"""Seconds that a seat can have beside the time of a move."""


@transaction.atomic
def time_give(*, table: OnlineTable, by: OnlineSeat, length: int) -> None:
    """Give the seat whose turn it is 60 seconds more, once for each move; they go into its bank.

    `length`: how many entries the giver has seen. Raises `Refused`: `not_started`, and
    `no_more_time` for one's own seat, an automatic player, a move that has had it, or one that is
    over."""
    if table.open_game is None:
        raise Refused(Illegal("not_started", say("the game hasn't begun")))
    OpenSheet.objects.select_for_update(no_key=True).get(open_game=table.open_game)
    game = online_game(table.open_game.pk)
    table.refresh_from_db(fields=["time_given"])
    seats = list(table.seats.order_by("number"))
    if game.sheet.over or length != game.row.length or not may_give_time(table, game, by, seats):
        raise Refused(
            Illegal("no_more_time", say("more time can be given once for a move of another seat"))
        )
    more = Least(F("bank") + SECONDS_GIVEN, MOST_BANK)
    (to_act,) = game.sheet.to_act
    OnlineSeat.objects.filter(pk=seats[to_act].pk).update(bank=more)
    OnlineTable.objects.filter(pk=table.pk).update(time_given=game.row.length)
    table_changed(table)


def time_given_keep(*, open_game: int, length: int) -> None:
    """Let time that was given for a move count as given after an entry beside the play: a call for
    the arbiter, or a ruling. `open_game`: its row id, whose sheet the caller holds. `length`: of
    its sheet with that entry."""
    given = OnlineTable.objects.filter(open_game=open_game, time_given=length - 1)
    given.update(time_given=length)
