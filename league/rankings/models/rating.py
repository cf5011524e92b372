"""Ratings of a ranking: a cache that a rebuild reproduces to the last digit."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models

from engine.interval import Z95
from league.clubs.models import Player
from league.rankings.models.ranking import Ranking


class Rating(models.Model):
    """A player's rating in a ranking after the last rated game (Plackett–Luce, `engine.rating`).

    `recent` holds mu after each of the last `RECENT` games, oldest first: the sparkline. What each game did to it
    stands in the appearances.
    """

    RECENT = 12

    pk = models.CompositePrimaryKey("ranking", "player")
    ranking = models.ForeignKey(Ranking, on_delete=models.PROTECT, related_name="ratings", db_index=False)
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="ratings")
    mu = models.FloatField()
    sigma = models.FloatField()
    recent = ArrayField(models.FloatField(), default=list)

    class Meta:
        indexes = [models.Index(fields=["ranking", "-mu"], name="rating_by_mu")]

    def __str__(self) -> str:
        return f"{self.ranking_id}: {self.player_id} {self.mu:.2f}±{Z95 * self.sigma:.2f}"
