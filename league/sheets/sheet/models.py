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
    """An open game at a table: the table's game with this `number`. `edition`: 1 for its first open
    game, and one more for each further one, if the seats changed or a second writer writes the same
    game down. `concealed`: only its opener sees its sheet, until it is compared with the other."""

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
        """What the game's devices may write for: all games of the table."""
        return self.table

    @property
    def is_played_again(self) -> bool:
        """Return True if this plays a sealed game again from some round on."""
        return hasattr(self.open_game, "play_again")

    @property
    def confirmation(self) -> str:
        """Who confirms the game before it is sealed. A game that is played again has only one
        sheet, so an arbiter confirms it where two sheets would be compared."""
        confirmation = self.table.stage_round.stage.event.confirmation
        if confirmation == Event.Confirmer.DOUBLE and self.is_played_again:
            return Event.Confirmer.ARBITER
        return confirmation


class SeasonOpenGame(Fact):
    """An open game that counts in a season but isn't played at an event's table. Members who may
    enter games in the season open it, and whoever writes it down seals it."""

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
        """What the game's devices may write for: this game alone."""
        return self


CLUB_OF_TABLE: Final = "table__stage_round__stage__event__club"
"""The lookup of the club from a row with a `table`."""
CLUB_OF_OPEN_GAME: Final = (f"table_open_game__{CLUB_OF_TABLE}", "season_open_game__season__club")
"""The two lookups of the club from an open game."""
ClubOpenGame: TypeAlias = TableOpenGame | SeasonOpenGame
"""An open game of a club, at a table or without one."""
