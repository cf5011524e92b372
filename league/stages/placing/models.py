"""Final ranks in events."""

from __future__ import annotations

from django.db import models

from league.events.entry.models import Entry
from league.events.event.models import Event


class FinalRank(models.Model):
    """The final rank of an entry in a finished event, and the points of its games there, in 840ths;
    it follows from the rankings of the stages in which it took part."""

    pk = models.CompositePrimaryKey("event", "entry")
    event = models.ForeignKey(
        Event, on_delete=models.PROTECT, related_name="final_ranks", db_index=False
    )
    entry = models.OneToOneField(Entry, on_delete=models.PROTECT, related_name="final_rank")
    rank = models.PositiveSmallIntegerField()
    points = models.IntegerField()

    class Meta:
        ordering = ["event", "rank"]

    def __str__(self) -> str:
        return f"{self.rank}: {self.entry_id}"
