"""At which table an open game is played, and which table a device writes for."""

from __future__ import annotations

from django.db import models

from games.models import Device, OpenGame
from games.models.fact import Fact
from league.tables.models import Table


class TableOpenGame(Fact):
    """An open game is a table's game of that `number`. `edition`: 1, and one more where others sat there before."""

    open_game = models.OneToOneField(
        OpenGame, on_delete=models.PROTECT, primary_key=True, related_name="table_open_game"
    )
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="open_games", db_index=False)
    number = models.PositiveSmallIntegerField()
    edition = models.PositiveSmallIntegerField(default=1)

    class Meta:
        ordering = ["table", "number", "edition"]
        constraints = [models.UniqueConstraint(fields=["table", "number", "edition"], name="open_game_of_table_once")]

    def __str__(self) -> str:
        return f"open game {self.number} of table {self.table_id}"


class TableDevice(models.Model):
    """The table for which a device writes."""

    device = models.OneToOneField(Device, on_delete=models.CASCADE, primary_key=True, related_name="table_device")
    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="devices")

    def __str__(self) -> str:
        return f"{self.device_id} at {self.table_id}"
