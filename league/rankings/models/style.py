"""How a player plays in a season: a cache that a rebuild reproduces to the last digit."""

from django.contrib.postgres.fields import ArrayField
from django.db import models

from engine.analysis import profile
from league.clubs.models.player import Player
from league.rankings.models.season import Season


class Style(models.Model):
    """The sums of a player's decisions and luck over the counted games of a season of Bluff.

    The figures are those of `engine.analysis.profile.Style`, whole numbers that add up in any order. Who has only games
    that tell no dice has no row.
    """

    season = models.ForeignKey(Season, on_delete=models.PROTECT, related_name="styles")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="styles")
    bids = models.PositiveIntegerField()
    bluffs = models.PositiveIntegerField()
    unsupported = models.PositiveIntegerField()
    stood = models.PositiveIntegerField()
    lucky = models.PositiveIntegerField()
    caught = models.PositiveIntegerField()
    decisions = models.PositiveIntegerField()
    cost = models.BigIntegerField()
    showdowns = models.PositiveIntegerField()
    luck = models.BigIntegerField()
    challenges = ArrayField(models.PositiveIntegerField(), size=profile.BINS)
    stated = ArrayField(models.BigIntegerField(), size=profile.BINS)
    right = ArrayField(models.PositiveIntegerField(), size=profile.BINS)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["season", "player"], name="style_once_per_season")]

    def __str__(self) -> str:
        return f"{self.season_id}: {self.player_id}, {self.bids} bids"

    @property
    def sums(self) -> profile.Style:
        """The figures as the engine adds them."""
        return profile.Style(
            bids=self.bids,
            bluffs=self.bluffs,
            unsupported=self.unsupported,
            stood=self.stood,
            lucky=self.lucky,
            caught=self.caught,
            decisions=self.decisions,
            cost=self.cost,
            showdowns=self.showdowns,
            luck=self.luck,
            challenges=tuple(self.challenges),
            stated=tuple(self.stated),
            right=tuple(self.right),
        )
