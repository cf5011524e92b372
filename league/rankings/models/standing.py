"""The rows of a season's table: a cache that a rebuild reproduces to the last digit."""

from django.contrib.postgres.fields import ArrayField
from django.db import models

from league.clubs.models.player import Player
from league.rankings.models.season import Season, TieBreak


class Standing(models.Model):
    """A player's row in a season's table.

    `before` is the player's tally (games, wins, points, rank_sum, best) without the season's last day of play, and
    `rank_before` the rank that it gave: what the arrow beside the rank compares with.
    """

    season = models.ForeignKey(Season, on_delete=models.PROTECT, related_name="standings")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="standings")
    rank = models.PositiveIntegerField()
    rank_before = models.PositiveIntegerField(null=True)
    decided_by = models.CharField(max_length=32, choices=TieBreak.choices, blank=True, default="")
    games = models.PositiveIntegerField()
    wins = models.PositiveIntegerField()
    points = models.IntegerField()
    rank_sum = models.PositiveIntegerField()
    best = models.IntegerField()
    before = ArrayField(models.IntegerField(), size=5)

    class Meta:
        ordering = ["season", "rank", "player"]
        constraints = [models.UniqueConstraint(fields=["season", "player"], name="standing_once_per_season")]

    def __str__(self) -> str:
        return f"{self.season_id}: {self.rank}. {self.player_id}"
