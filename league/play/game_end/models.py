"""Finished turn-by-turn games of which players must still be notified."""

from __future__ import annotations

from django.db import models

from league.play.online_table.models import OnlineSeat


class GameEnd(models.Model):
    """The end of a seat's turn-by-turn game, of which its account must still be notified. A job
    deletes the row.

    `seen`: the account's own act ended the game, so only its earlier notices are withdrawn.
    `next_at`: when the job has something to do.
    """

    seat = models.OneToOneField(
        OnlineSeat, on_delete=models.CASCADE, primary_key=True, related_name="game_end"
    )
    seen = models.BooleanField(default=False)
    next_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"the end for seat {self.seat_id}"
