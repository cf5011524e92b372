"""Turns at turn-by-turn tables: who is to move, and until when."""

from __future__ import annotations

from django.db import models

from league.play.online_table.models import OnlineSeat, OnlineTable


class OnlineTurn(models.Model):
    """A person's turn at a turn-by-turn table, one for each seat for which the table waits.

    In Bluff that is one seat; in Lügen-Kniffel the roller, or all seats that are asked (ruling
    K16). A turn ends when its seat acts; there are none once the game is over.

    `length`: how many entries the sheet had when the turn began, which identifies the turn.
    `tell_at`, `remind_at`: when the player is to be notified and reminded; `ends_at`: when the time
    is over. `told_at`, `reminded_at`: when that was done, None before. `next_at`: when a job has
    something to do.
    """

    seat = models.OneToOneField(
        OnlineSeat, on_delete=models.CASCADE, primary_key=True, related_name="turn"
    )
    table = models.ForeignKey(OnlineTable, on_delete=models.CASCADE, related_name="turns")
    length = models.PositiveIntegerField()
    begun_at = models.DateTimeField()
    tell_at = models.DateTimeField()
    remind_at = models.DateTimeField()
    ends_at = models.DateTimeField()
    told_at = models.DateTimeField(null=True)
    reminded_at = models.DateTimeField(null=True)
    next_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"seat {self.seat_id} at {self.length}"
