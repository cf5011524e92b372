"""The ranks after the days of play that are over: a cache that a rebuild reproduces to the last digit."""

from __future__ import annotations

from django.db import models

from league.clubs.models import Player
from league.rankings.models.ranking import Ranking


class DayRank(models.Model):
    """Where a player stood in a ranking after a day of play that isn't its last: that one's ranks are those of the
    standings.

    `games`: those of the player on that day. `points`: all of the player's up to and with it. `players`: how many were
    ranked.
    """

    pk = models.CompositePrimaryKey("ranking", "player", "day")
    ranking = models.ForeignKey(Ranking, on_delete=models.PROTECT, related_name="day_ranks", db_index=False)
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="day_ranks", db_index=False)
    day = models.DateField()
    games = models.PositiveIntegerField()
    points = models.IntegerField()
    rank = models.PositiveIntegerField()
    players = models.PositiveIntegerField()

    class Meta:
        indexes = [models.Index(fields=["ranking", "day"], name="ranks_of_day")]

    def __str__(self) -> str:
        return f"{self.ranking_id}: {self.player_id} after {self.day}"
