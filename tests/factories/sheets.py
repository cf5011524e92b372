"""Open games, as somebody at a table writes them down."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from engine.sheet.entry import stored_entry
from games.models import OpenSheet
from games.models.public_id import new_public_id
from games.services.open_game import NOBODY, Writer, entry_add
from league.models import Season, SeasonOpenGame, Table, TableOpenGame
from league.sheets.sheet.models import ClubOpenGame
from league.sheets.sheet.services.open_game import open_game_seal, table_game_open
from league.sheets.sheet.services.season_game import season_game_open


class Scribe:
    """Somebody who writes an open game down."""

    def __init__(self, row: ClubOpenGame) -> None:
        self.row = row
        self.seats = self.row.open_game.seats.count()

    @property
    def length(self) -> int:
        return OpenSheet.objects.get(open_game=self.row.open_game).length

    def add(self, act: str, **value: Any) -> None:
        """One more entry."""
        entry = stored_entry(act, value)
        writer = Writer(automatic="hare")
        entry_add(
            open_game=self.row.open_game.public_id,
            length=self.length,
            entry=entry,
            writer=writer,
            key=uuid4(),
        )

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
        open_game_seal(row=self.row, length=self.length, writer=Writer(automatic="hare"))


class Scorer(Scribe):
    """Somebody who writes at a table."""

    row: TableOpenGame

    def __init__(self, table: Table) -> None:
        super().__init__(table_game_open(table=table))


class SeasonScorer(Scribe):
    """Somebody who writes a game of a season down that is played at no table."""

    row: SeasonOpenGame

    def __init__(self, season: Season, *seats: str) -> None:
        handles = seats or ("anna", "ben", "carla")
        super().__init__(
            season_game_open(season=season, handles=handles, opener=NOBODY, key=new_public_id())
        )
