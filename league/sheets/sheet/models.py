"""The table at which an open game is played, or the season of one without a table."""

from __future__ import annotations

from typing import ClassVar, Final, TypeAlias

import pgtrigger
from django.db import models

from games.models import OpenGame
from games.models.fact import Fact, Guard
from league.core.club.models import Club
from league.events.event.models import Event
from league.stages.table.models import Table
from league.standings.season.models import Season

UNCOVERING: Final = Guard(
    name="uncovering",
    operation=pgtrigger.Update,
    func="""
        IF NEW.concealed AND NOT OLD.concealed THEN
            RAISE EXCEPTION 'open game % was seen already', NEW.open_game_id;
        END IF;
        RETURN NEW;
    """,
)
"""What everybody may see is never concealed again."""


class TableOpenGame(Fact):
    """An open game is a table's game of that `number`. `edition`: 1, and one more where others sat
    there before, or where another writes the same game down. `concealed`: nobody but whoever opened
    it sees its sheet yet."""

    open_game = models.OneToOneField(
        OpenGame, on_delete=models.PROTECT, primary_key=True, related_name="table_open_game"
    )
    table = models.ForeignKey(
        Table, on_delete=models.PROTECT, related_name="open_games", db_index=False
    )
    number = models.PositiveSmallIntegerField()
    edition = models.PositiveSmallIntegerField(default=1)
    concealed = models.BooleanField(default=False)

    unsealed = ("concealed",)

    class Meta:
        ordering = ["table", "number", "edition"]
        triggers = [UNCOVERING]
        constraints = [
            models.UniqueConstraint(
                fields=["table", "number", "edition"], name="open_game_of_table_once"
            )
        ]

    def __str__(self) -> str:
        return f"open game {self.number} of table {self.table_id}"

    @property
    def club(self) -> Club:
        """The club that plays it."""
        return self.table.stage_round.stage.event.club

    @property
    def season(self) -> Season:
        """The season in which it counts."""
        return self.table.stage_round.stage.event.season

    @property
    def subject(self) -> Table:
        """What its devices write for."""
        return self.table

    @property
    def is_played_again(self) -> bool:
        """Return True if a sealed game is played again from a round."""
        return hasattr(self.open_game, "play_again")

    @property
    def confirmation(self) -> str:
        """Whoever confirms it before it is sealed. A game that is played again has one sheet, also
        where two write each game down: there an arbiter confirms it."""
        confirmation = self.table.stage_round.stage.event.confirmation
        if confirmation == Event.Confirmer.DOUBLE and self.is_played_again:
            return Event.Confirmer.ARBITER
        return confirmation


class SeasonOpenGame(Fact):
    """An open game that counts in a season and is played at no table of an event: who may enter
    games there opens it, and whoever writes it down seals it."""

    open_game = models.OneToOneField(
        OpenGame, on_delete=models.PROTECT, primary_key=True, related_name="season_open_game"
    )
    season = models.ForeignKey(Season, on_delete=models.PROTECT, related_name="open_games")

    table: ClassVar[None] = None
    number: ClassVar[None] = None
    concealed: ClassVar[bool] = False
    confirmation: ClassVar[str] = Event.Confirmer.ALONE

    def __str__(self) -> str:
        return f"open game {self.open_game_id} of season {self.season_id}"

    @property
    def club(self) -> Club:
        """The club that plays it."""
        return self.season.club

    @property
    def subject(self) -> SeasonOpenGame:
        """What its devices write for."""
        return self


CLUB_OF_TABLE: Final = "table__stage_round__stage__event__club"
"""The way to the club from what has a table."""
CLUB_OF_OPEN_GAME: Final = (f"table_open_game__{CLUB_OF_TABLE}", "season_open_game__season__club")
"""The two ways to the club from an open game."""
ClubOpenGame: TypeAlias = TableOpenGame | SeasonOpenGame
"""An open game of a club, of a table or without one."""
