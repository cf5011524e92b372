"""The rows of a ranking: a cache that a rebuild reproduces to the last digit."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models

from games.models.public_id import LENGTH
from league.core.player.models import Player
from league.standings.ranking.models import Ranking


class Standing(models.Model):
    """A player's row in a ranking. Ranks aren't stored: they come from the keys when they are read.

    `public_id` is the player's: those who share a rank stand in its order, here as in a table that
    anybody computes of the published files. `key` is the tally under the ranking's tie-breaks
    (`engine.scoring.standings.sort_key`): a larger one is better. `day` is the player's last day of
    play, and `before` the tally (games, wins, points, rank_sum, best) without it, whose key is
    `key_before` (None without a game): if that day is the ranking's last, it is what the arrow
    beside the rank compares with."""

    pk = models.CompositePrimaryKey("ranking", "player")
    ranking = models.ForeignKey(
        Ranking, on_delete=models.PROTECT, related_name="standings", db_index=False
    )
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="standings")
    public_id = models.CharField(max_length=LENGTH, db_collation="C")
    games = models.PositiveIntegerField()
    wins = models.PositiveIntegerField()
    points = models.IntegerField()
    rank_sum = models.PositiveIntegerField()
    best = models.IntegerField()
    key = ArrayField(models.BigIntegerField())
    day = models.DateField(null=True)
    before = ArrayField(models.IntegerField(), size=5)
    key_before = ArrayField(models.BigIntegerField(), null=True)

    class Meta:
        indexes = [models.Index(fields=["ranking", "-key", "public_id"], name="standing_by_key")]

    def __str__(self) -> str:
        return f"{self.ranking_id}: {self.player_id}"
