"""Open games, as somebody at a table writes them down."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from engine.sheet.entry import stored_entry
from games.models import OpenSheet
from games.services.open_game import Writer, entry_add
from league.models import Table, TableOpenGame
from league.sheets.services.open_game import table_game_open, table_sheet_seal


class Scorer:
    """Somebody who writes at a table."""

    def __init__(self, table: Table) -> None:
        self.row: TableOpenGame = table_game_open(table=table)
        self.seats = self.row.open_game.seats.count()

    @property
    def length(self) -> int:
        return OpenSheet.objects.get(open_game=self.row.open_game).length

    def add(self, act: str, **value: Any) -> None:
        """One more entry."""
        entry = stored_entry(act, value)
        writer = Writer(automatic="hare")
        entry_add(open_game=self.row.open_game.public_id, length=self.length, entry=entry, writer=writer, key=uuid4())

    def bid(self, bid: str) -> None:
        self.add("note", bid=bid)

    def lose(self, loser: int, dice: int = 1) -> None:
        """A round of which the losses alone are told."""
        self.add("close", losses=[dice if seat == loser else 0 for seat in range(self.seats)])

    def finish(self) -> None:
        """Everybody but the first seat goes out."""
        owned = OpenSheet.objects.get(open_game=self.row.open_game).state["game"]["owned"]
        for loser in range(1, self.seats):
            if owned[loser]:
                self.lose(loser, owned[loser])

    def seal(self) -> None:
        table_sheet_seal(row=self.row, length=self.length, writer=Writer(automatic="hare"))
