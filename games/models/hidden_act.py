"""Acts of seats at online tables that nobody else may know yet."""

from __future__ import annotations

from django.db import models

from games.models.fact import Fact
from games.models.open_game import OpenSheet


class HiddenAct(Fact):
    """A complete act of a seat at an online table, such as the dice kept or an answer.

    The entry with the same `number` has only the public part. `round_number`: the round of the act,
    counted from 0. Only the dealer reads it: no export, no log, no stream and no error shows it; a
    program that sends its own act again learns whether it is the same. Everything else is disclosed
    by the entry that closes the round. `value` is canonical JSON (Rulings K11, K16).
    """

    pk = models.CompositePrimaryKey("sheet", "number")
    sheet = models.ForeignKey(OpenSheet, on_delete=models.PROTECT, related_name="+", db_index=False)
    number = models.PositiveIntegerField()
    round_number = models.PositiveSmallIntegerField()
    act = models.CharField(max_length=16)
    value = models.TextField()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"hidden act {self.number} of {self.sheet_id}"
