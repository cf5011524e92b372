"""Devices, and for which table or game each may write."""

from __future__ import annotations

from typing import Final, TypeAlias

from django.db import models
from django.db.models.functions import Coalesce

from games.models import Device
from league.core.log.nouns import Noun
from league.core.player.models import Player
from league.sheets.sheet.models import CLUB_OF_TABLE, ClubOpenGame, SeasonOpenGame
from league.stages.table.models import Table


class DeviceScope(models.Model):
    """What a device may write. `player`: the player who holds it; None if it is a scorer's. `own`:
    whether it is the phone of the account that made its key."""

    player = models.ForeignKey(
        Player, on_delete=models.PROTECT, null=True, related_name="+", db_index=False
    )
    own = models.BooleanField(default=False, db_default=False)

    class Meta:
        abstract = True


class TableDevice(DeviceScope):
    """A device that may write for one table."""

    device = models.OneToOneField(
        Device, on_delete=models.CASCADE, primary_key=True, related_name="table_device"
    )
    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="devices")

    def __str__(self) -> str:
        return f"{self.device_id} at {self.table_id}"

    def is_for(self, subject: Table | ClubOpenGame) -> bool:
        """Return True if the device may write for a table, or in an open game of that table."""
        return self.table == (subject if isinstance(subject, Table) else subject.table)


class GameDevice(DeviceScope):
    """A device that may write in one game without a table."""

    device = models.OneToOneField(
        Device, on_delete=models.CASCADE, primary_key=True, related_name="game_device"
    )
    open_game = models.ForeignKey(SeasonOpenGame, on_delete=models.CASCADE, related_name="devices")

    def __str__(self) -> str:
        return f"{self.device_id} for {self.open_game_id}"

    def is_for(self, subject: Table | ClubOpenGame) -> bool:
        """Return True if the device may write in an open game; never for a table."""
        return isinstance(subject, SeasonOpenGame) and self.open_game_id == subject.pk


ClubDevice: TypeAlias = TableDevice | GameDevice
"""A device of a club, with the table or game for which it may write."""


DEVICE: Final = Noun(
    "device",
    Device,
    club=(f"table_device__{CLUB_OF_TABLE}", "game_device__open_game__season__club"),
    more={
        "table": "table_device__table__public_id",
        "open_game": "game_device__open_game__open_game__public_id",
        "player": Coalesce("table_device__player__public_id", "game_device__player__public_id"),
        "made_at": "made_at",
        "revoked_at": "revoked_at",
    },
)
