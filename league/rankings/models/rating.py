"""Ratings of a season and how each game moved them: caches that a rebuild reproduces to the last digit."""

from django.contrib.postgres.fields import ArrayField
from django.db import models

from league.clubs.models.player import Player
from league.rankings.models.season import Season
from league.rankings.models.seasongame import SeasonGame


class Rating(models.Model):
    """A player's rating in a season after the last counted game (Plackett–Luce, `engine.rating`).

    `recent` holds mu after each of the last `RECENT` games, oldest first: the sparkline.
    """

    RECENT = 12

    season = models.ForeignKey(Season, on_delete=models.PROTECT, related_name="ratings")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="ratings")
    mu = models.FloatField()
    sigma = models.FloatField()
    games = models.PositiveIntegerField()
    last_game = models.ForeignKey(SeasonGame, on_delete=models.PROTECT, related_name="+")
    recent = ArrayField(models.FloatField(), default=list)

    class Meta:
        ordering = ["season", "-mu"]
        constraints = [models.UniqueConstraint(fields=["season", "player"], name="rating_once_per_season")]

    def __str__(self) -> str:
        return f"{self.season_id}: {self.player_id} {self.mu:.2f}±{1.96 * self.sigma:.2f}"


class RatingChange(models.Model):
    """What one game did to one player's rating."""

    season_game = models.ForeignKey(SeasonGame, on_delete=models.PROTECT, related_name="rating_changes")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="rating_changes")
    mu_before = models.FloatField()
    sigma_before = models.FloatField()
    mu = models.FloatField()
    sigma = models.FloatField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["season_game", "player"], name="rating_change_once_per_game")]

    def __str__(self) -> str:
        return f"{self.player_id} in {self.season_game_id}: {self.mu - self.mu_before:+.2f}"
