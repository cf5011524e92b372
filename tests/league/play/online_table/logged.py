"""What services change of online tables, and what the club's log says of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final
from uuid import uuid4

from league.core.log.actions import Action
from league.core.log.services import Actor
from league.core.player.actions import PlayerAction
from league.models import OnlineSeat, OnlineTable
from league.play.online_table.actions import PlayAction
from league.play.online_table.services.event_table import table_pause, table_resume
from league.play.online_table.services.game import table_act
from league.play.online_table.services.guest import guest_erase
from league.play.online_table.services.lobby import (
    online_table_open,
    rematch,
    seat_take,
    table_start,
)
from league.standings.ranked_game.actions import GameAction

RULES: Final = {"exact": "all", "reroll": True, "dice": 5, "scoring": "placement"}
SETTINGS: Final = {"most_seats": 6, "move_seconds": 60, "bank_seconds": 60}
FRIENDLY: Final = (
    "a table whose games count nowhere; the log tells that it was opened, and the game that is "
    "sealed"
)
OWN: Final = "an account's own choice, which is of no club"

PART: Final = "part of a larger action, whose journal it is given"


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


def in_play(it: Any) -> OnlineTable:
    """A game that goes on."""
    table = opened(it)
    seat_take(table=table, user=None, name="Gust")
    return table_start(table=table)


def paused(it: Any) -> OnlineTable:
    table = in_play(it)
    table_pause(table=table, actor=it.actor)
    return table


def resumed(it: Any) -> None:
    table_resume(table=paused(it), actor=it.actor)


def erased(it: Any) -> bool:
    seat, _ = seat_take(table=(table := opened(it)), user=None, name="Gust")
    return guest_erase(table=table, seat=seat, actor=Actor())


LOGGED: Final[dict[str, tuple[Callable[[Any], object], list[Action]]]] = {
    "play.online_table.lobby.online_table_open": (opened, [PlayAction.TABLE_OPENED]),
    "play.online_table.game.table_act": (played, [PlayAction.TABLE_OPENED, GameAction.SEALED]),
    "play.online_table.event_table.table_pause": (
        paused,
        [PlayAction.TABLE_OPENED, PlayAction.TABLE_PAUSED],
    ),
    "play.online_table.event_table.table_resume": (
        resumed,
        [PlayAction.TABLE_OPENED, PlayAction.TABLE_PAUSED, PlayAction.TABLE_RESUMED],
    ),
    "play.online_table.guest.guest_erase": (
        erased,
        [PlayAction.TABLE_OPENED, PlayerAction.GUEST_ERASED],
    ),
    "play.online_table.lobby.rematch": (
        again,
        [PlayAction.TABLE_OPENED, GameAction.SEALED, PlayAction.TABLE_OPENED],
    ),
}
COUNTED: Final = ("player_with_account", "counted_header", "counted_place", "counted_seal")
UNLOGGED: Final = {
    **{
        f"play.online_table.lobby.{name}": FRIENDLY
        for name in (
            "seat_take",
            "automatic_sit",
            "seat_keep",
            "seat_leave",
            "table_start",
            "game_begin",
        )
    },
    **{
        f"play.online_table.counted.{name}": "part of beginning or ending a game"
        for name in COUNTED
    },
    **{
        f"play.online_table.event_table.{name}": FRIENDLY
        for name in ("seat_check_in", "begin_without_absent", "seat_link_renew")
    },
    "play.online_table.event_table.event_table_open": (
        "logs that the online table was opened, as any other"
    ),
    "play.online_table.clock.time_give": FRIENDLY,
    "play.online_table.clock.time_given_keep": "part of a call or a ruling, which is logged",
    "play.program.account_mark_program": "an account's own mark, which is of no club",
    "play.program.program_act": "acts by `table_act`, which is told of here",
    **{
        f"play.online_table.game.{name}": FRIENDLY
        for name in (
            "seat_time_up",
            "seats_time_out",
            "turn_end",
            "counted_turns_end",
            "game_go_on",
        )
    },
    **{
        f"play.online_table.table.{name}": FRIENDLY
        for name in ("phrase_say", "tables_end", "table_changed", "table_notify")
    },
    "play.online_table.table.opening_log": PART,
    **{
        f"play.turn.{name}": "follows from the sheet, and from the account's playing time"
        for name in (
            "turns_write",
            "turns_forget",
            "turn_tell",
            "turn_wait",
            "turns_reschedule",
            "turns_count",
        )
    },
    **{
        f"play.standing_order.{name}": "secret until it acts; then the sheet tells the act"
        for name in (
            "order_give",
            "order_withdraw",
            "order_act",
            "raise_order_end",
            "orders_end",
            "orders_keep",
        )
    },
    **{
        f"play.playing_time.{name}": OWN
        for name in ("playing_time_set", "holiday_take", "holiday_end")
    },
    **{
        f"play.game_end.{name}": "what is still to be told of an end that the sheet has"
        for name in ("ends_write", "end_see", "end_wait")
    },
    "play.standing_order.orders_forget": "part of erasing a player, which is logged",
    "play.online_table.automatic.automatic_entry": "only chooses what an automatic player does",
    "play.online_table.guest.online_seats_forget": PART,
    "play.online_table.guest.seat_name_forget": PART,
    "play.online_table.automatic_kniffel.automatic_act_of_kniffel": (
        "only chooses what an automatic player does"
    ),
    **{
        f"play.online_table.unsent.{name}": (
            "the cache has it, for its own seat alone, until the move is made"
        )
        for name in ("unsent_keep", "unsent_of", "unsent_forget")
    },
    **{
        f"play.practice.{name}": "stores nothing"
        for name in ("practice_start", "practice_of", "practice_act")
    },
}
