"""The demo's online tables: a lobby that anybody can join at once, a live game, and one turn by
turn."""

from __future__ import annotations

from typing import Final

from league.core.account.models import User
from league.core.club.models import Club
from league.play.online_table.models import OnlineTable
from league.play.online_table.services.lobby import automatic_sit, online_table_open, table_start

RULES: Final = {"exact": "all", "reroll": True, "dice": 5, "scoring": "cntdice"}
SETTINGS: Final = {"most_seats": 4, "move_seconds": 60, "bank_seconds": 120, "listed": True}


def demo_online_tables(*, club: Club, host: User) -> None:
    """Open the demo's online tables, unless one waits for players already: one that waits, one that
    is played live, and one that is played turn by turn."""
    if OnlineTable.objects.filter(club=club, status=OnlineTable.Status.LOBBY).exists():
        return
    for is_played in (False, True):
        table = online_table_open(club=club, user=host, rules=RULES, settings=SETTINGS)
        automatic_sit(table=table, strength="steady")
        if is_played:
            automatic_sit(table=table, strength="sharp")
            table_start(table=table)
    slow_settings = {**SETTINGS, "move_days": 3, "listed": False}
    slow = online_table_open(club=club, user=host, rules=RULES, settings=slow_settings)
    automatic_sit(table=slow, strength="sharp")
    table_start(table=slow)
