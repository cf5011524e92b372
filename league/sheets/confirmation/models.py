"""Sheets that were handed in to be confirmed."""

from __future__ import annotations

from typing import Final

from django.db import models

from games.models.fact import Fact
from league.core.log.columns import column
from league.core.log.nouns import Noun
from league.sheets.sheet.models import CLUB_OF_TABLE, TableOpenGame


class SheetSubmission(Fact):
    """A concealed sheet that its writer has handed in: the number of its entries then, and the last
    link of its chain."""

    table_open_game = models.OneToOneField(
        TableOpenGame, on_delete=models.PROTECT, primary_key=True, related_name="submission"
    )
    length = column(models.PositiveIntegerField())
    link = column(models.BinaryField(max_length=32))
    made_at = column(models.DateTimeField())

    def __str__(self) -> str:
        return f"submission of {self.table_open_game_id}"


SUBMISSION: Final = Noun(
    "submission",
    SheetSubmission,
    club=f"table_open_game__{CLUB_OF_TABLE}",
    named=("table_open_game__open_game__public_id",),
)
