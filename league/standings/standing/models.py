"""The rows of a ranking: a cache that a rebuild reproduces to the last digit."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models

from games.models.public_id import LENGTH
from league.core.player.models import Player
from league.standings.ranking.models import Ranking


class Standing(models.Model):
    """A player's row in a ranking. Ranks aren't stored: they follow from the keys when read.

    `public_id` is the player's; rows with equal ranks are ordered by it, here as in a table
    computed from the published files. `key` is the tally under the ranking's tie-breaks
    (`engine.scoring.standings.sort_key`); larger is better. `day` is the player's last day of play,
    and `before` the tally (games, wins, points, rank_sum, best) without it, with the key
    `key_before` (None without a game). If that day is the ranking's last, the arrow beside the rank
    compares with it."""

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
