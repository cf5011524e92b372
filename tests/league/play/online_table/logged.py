"""What services change of online tables, and what the club's log says of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final
from uuid import uuid4

from league.core.log.actions import Action
from league.models import OnlineSeat, OnlineTable
from league.play.online_table.actions import PlayAction
from league.play.online_table.services.game import table_act
from league.play.online_table.services.lobby import online_table_open, rematch, seat_take, table_start
from league.standings.ranked_game.actions import GameAction

RULES: Final = {"exact": "all", "reroll": True, "dice": 5, "scoring": "placement"}
SETTINGS: Final = {"most_seats": 6, "move_seconds": 60, "bank_seconds": 60}
FRIENDLY: Final = "a table whose games count nowhere; the log tells that it was opened, and the game that is sealed"


def opened(it: Any) -> OnlineTable:
    return online_table_open(club=it.club, user=it.organiser, rules=RULES, settings=SETTINGS)


def played(it: Any) -> tuple[OnlineTable, OnlineSeat]:
    """A game that ends because the second seat leaves it."""
    seat, _ = seat_take(table=(table := opened(it)), user=None, name="Gust")
    table = table_start(table=table)
    table_act(table=table, seat=seat, act="leave", length=None, key=uuid4())
    return table, seat


def again(it: Any) -> OnlineTable:
    table, seat = played(it)
    return rematch(table=table, seat=seat)


LOGGED: Final[dict[str, tuple[Callable[[Any], object], list[Action]]]] = {
    "play.online_table.online_table_open": (opened, [PlayAction.TABLE_OPENED]),
    "play.online_table.table_act": (played, [PlayAction.TABLE_OPENED, GameAction.SEALED]),
    "play.online_table.rematch": (again, [PlayAction.TABLE_OPENED, GameAction.SEALED, PlayAction.TABLE_OPENED]),
}
UNLOGGED: Final = {
    **{
        f"play.online_table.{name}": FRIENDLY
        for name in (
            "seat_take",
            "automatic_sit",
            "seat_keep",
            "seat_leave",
            "table_start",
            "phrase_say",
            "seat_time_up",
            "tables_end",
        )
    },
    "play.online_table.automatic_kniffel.automatic_act_of_kniffel": "only chooses what an automatic player does",
    "play.online_table.automatic_entry": "only chooses what an automatic player does",
    "play.online_table.online_seats_forget": "part of erasing a player, which is logged",
    **{f"play.practice.{name}": "stores nothing" for name in ("practice_start", "practice_of", "practice_act")},
}
