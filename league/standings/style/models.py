"""How players play: a cache that a rebuild reproduces to the last digit."""

from django.contrib.postgres.fields import ArrayField
from django.db import models

from engine.analysis import profile
from games.models import Game
from league.core.player.models import Player
from league.standings.ranking.models import Ranking


class GameStyle(models.Model):
    """The analysis of one game for each seat, packed into one value
    (`engine.analysis.profile.pack_styles`: an array of packed seats takes half as much again). A
    game gets a row when it is analysed, so that it can be subtracted from the sums later."""

    game = models.OneToOneField(Game, on_delete=models.PROTECT, primary_key=True, related_name="+")
    seats = models.BinaryField()

    def __str__(self) -> str:
        return f"{self.game_id}"


class Style(models.Model):
    """The sums of a player's decisions and luck over the games of Bluff that a ranking's reader of
    styles has read.

    The figures are those of `engine.analysis.profile.Style`: whole numbers, which add up in any
    order. Players without any recorded dice have no row."""

    pk = models.CompositePrimaryKey("ranking", "player")
    ranking = models.ForeignKey(
        Ranking, on_delete=models.PROTECT, related_name="styles", db_index=False
    )
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="styles")
    bids = models.PositiveIntegerField()
    bluffs = models.PositiveIntegerField()
    unsupported = models.PositiveIntegerField()
    stood = models.PositiveIntegerField()
    lucky = models.PositiveIntegerField()
    caught = models.PositiveIntegerField()
    decisions = models.PositiveIntegerField()
    cost = models.BigIntegerField()
    rolls = models.PositiveIntegerField()
    luck = models.BigIntegerField()
    luck_variance = models.PositiveBigIntegerField()
    challenges = ArrayField(models.PositiveIntegerField(), size=profile.BINS)
    stated = ArrayField(models.BigIntegerField(), size=profile.BINS)
    right = ArrayField(models.PositiveIntegerField(), size=profile.BINS)

    def __str__(self) -> str:
        return f"{self.ranking_id}: {self.player_id}, {self.bids} bids"

    @property
    def sums(self) -> profile.Style:
        """Return the figures in the engine's type."""
        return profile.Style(
            bids=self.bids,
            bluffs=self.bluffs,
            unsupported=self.unsupported,
            stood=self.stood,
            lucky=self.lucky,
            caught=self.caught,
            decisions=self.decisions,
            cost=self.cost,
            rolls=self.rolls,
            luck=self.luck,
            luck_variance=self.luck_variance,
            challenges=tuple(self.challenges),
            stated=tuple(self.stated),
            right=tuple(self.right),
        )
