"""At which table an open game is played, or for which season without one, and for what a device writes."""

from __future__ import annotations

from typing import ClassVar, Final, TypeAlias

import pgtrigger
from django.db import models

from games.models import Device, OpenGame, SheetBranch
from games.models.fact import Fact, Guard
from league.clubs.models import Club, Player
from league.events.models import Event
from league.seasons.models import Season
from league.tables.models import Table

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
    """An open game is a table's game of that `number`. `edition`: 1, and one more where others sat there before, or
    where another writes the same game down. `concealed`: nobody but whoever opened it sees its sheet yet."""

    open_game = models.OneToOneField(
        OpenGame, on_delete=models.PROTECT, primary_key=True, related_name="table_open_game"
    )
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="open_games", db_index=False)
    number = models.PositiveSmallIntegerField()
    edition = models.PositiveSmallIntegerField(default=1)
    concealed = models.BooleanField(default=False)

    unsealed = ("concealed",)

    class Meta:
        ordering = ["table", "number", "edition"]
        triggers = [UNCOVERING]
        constraints = [models.UniqueConstraint(fields=["table", "number", "edition"], name="open_game_of_table_once")]

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
    def confirmation(self) -> str:
        """Whoever confirms it before it is sealed."""
        return self.table.stage_round.stage.event.confirmation


class SeasonOpenGame(Fact):
    """An open game that counts in a season and is played at no table of an event: who may enter games there opens it,
    and whoever writes it down seals it."""

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


ClubOpenGame: TypeAlias = TableOpenGame | SeasonOpenGame
"""An open game of a club, of a table or without one."""


class SheetSubmission(Fact):
    """Whoever wrote a sheet unseen said that it is done: it had so many entries then, and this last link."""

    table_open_game = models.OneToOneField(
        TableOpenGame, on_delete=models.PROTECT, primary_key=True, related_name="submission"
    )
    length = models.PositiveIntegerField()
    link = models.BinaryField(max_length=32)
    made_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"submission of {self.table_open_game_id}"


WAITING_BRANCH: Final = Guard(
    name="waiting_branch",
    operation=pgtrigger.Insert,
    func="""
        IF NOT EXISTS (
            SELECT FROM games_sheetbranch branch
            JOIN games_opensheet sheet ON sheet.id = branch.sheet_id
            JOIN games_openseat seat ON seat.open_game_id = sheet.open_game_id
            WHERE branch.id = NEW.branch_id AND seat.number = NEW.seat AND NEW.made_at < branch.waits_until
        ) THEN
            RAISE EXCEPTION 'seat % can''t agree with branch %', NEW.seat, NEW.branch_id;
        END IF;
        RETURN NEW;
    """,
)
"""Who agrees sits at the game, and what they agree with is waiting."""


class BranchAgreement(Fact):
    """A seat of a game agrees that what came in by a key that had ended was played so."""

    branch = models.ForeignKey(SheetBranch, on_delete=models.PROTECT, related_name="agreements", db_index=False)
    seat = models.PositiveSmallIntegerField()
    made_at = models.DateTimeField()

    class Meta:
        ordering = ["branch", "seat"]
        triggers = [WAITING_BRANCH]
        constraints = [models.UniqueConstraint(fields=["branch", "seat"], name="seat_agrees_with_branch_once")]

    def __str__(self) -> str:
        return f"seat {self.seat} with {self.branch_id}"


class DeviceScope(models.Model):
    """For what a device writes: as the `player` who holds it, or, where that is None, as scorer."""

    player = models.ForeignKey(Player, on_delete=models.PROTECT, null=True, related_name="+", db_index=False)

    class Meta:
        abstract = True


class TableDevice(DeviceScope):
    """The table for which a device writes."""

    device = models.OneToOneField(Device, on_delete=models.CASCADE, primary_key=True, related_name="table_device")
    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="devices")

    def __str__(self) -> str:
        return f"{self.device_id} at {self.table_id}"

    def is_for(self, subject: Table | ClubOpenGame) -> bool:
        """True if the device writes for this table, or for this game of it."""
        return self.table == (subject if isinstance(subject, Table) else subject.table)


class GameDevice(DeviceScope):
    """The game without a table for which alone a device writes."""

    device = models.OneToOneField(Device, on_delete=models.CASCADE, primary_key=True, related_name="game_device")
    open_game = models.ForeignKey(SeasonOpenGame, on_delete=models.CASCADE, related_name="devices")

    def __str__(self) -> str:
        return f"{self.device_id} for {self.open_game_id}"

    def is_for(self, subject: Table | ClubOpenGame) -> bool:
        """True if the device writes for this game."""
        return isinstance(subject, SeasonOpenGame) and self.open_game_id == subject.pk


ClubDevice: TypeAlias = TableDevice | GameDevice
"""A device of a club, by what it writes for."""
