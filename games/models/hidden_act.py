"""What seats of online tables did and nobody else may know yet."""

from __future__ import annotations

from django.db import models

from games.models.fact import Fact
from games.models.open_game import OpenSheet


class HiddenAct(Fact):
    """A whole act of a seat at an online table, of which the entry with the same `number` has the
    public part alone: which dice stay, what was answered. `round_number`: the round in which it was
    done, counted from 0.

    Nothing but the dealer reads it: no export, no log, no stream and no error; a program that sends
    its own act again is told whether it is the same. All else that becomes known of it is told by
    the entry that closes the round. `value` is canonical JSON. Rulings K11 (K), K16."""

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
