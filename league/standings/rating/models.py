"""Ratings of a ranking: a cache that a rebuild reproduces to the last digit."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models

from engine.interval import Z95
from games.models import Game
from league.core.player.models import Player
from league.standings.ranking.models import Ranking


class Rating(models.Model):
    """A player's rating in a ranking after the last rated game (Plackett–Luce, `engine.rating`).

    `recent` has mu after each of the last `RECENT` games, oldest first, for the sparkline. The
    effect of each game is a `RatingChange`."""

    RECENT = 12

    pk = models.CompositePrimaryKey("ranking", "player")
    ranking = models.ForeignKey(
        Ranking, on_delete=models.PROTECT, related_name="ratings", db_index=False
    )
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="ratings")
    mu = models.FloatField()
    sigma = models.FloatField()
    recent = ArrayField(models.FloatField(), default=list)

    class Meta:
        indexes = [models.Index(fields=["ranking", "-mu"], name="rating_by_mu")]

    def __str__(self) -> str:
        return f"{self.ranking_id}: {self.player_id} {self.mu:.2f}±{Z95 * self.sigma:.2f}"


class RatingChange(models.Model):
    """How a game changed the ratings of its players in a ranking: for each seat, mu and sigma
    before and after it. A game that isn't rated (yet) has none.

    A late game changes those of all later ones. So they are rows of their own, apart from the
    seats, and without foreign-key checks in the database."""

    pk = models.CompositePrimaryKey("ranking", "game")
    ranking = models.ForeignKey(
        Ranking,
        on_delete=models.PROTECT,
        related_name="rating_changes",
        db_index=False,
        db_constraint=False,
    )
    game = models.ForeignKey(
        Game,
        on_delete=models.PROTECT,
        related_name="rating_changes",
        db_index=False,
        db_constraint=False,
    )
    seats = ArrayField(ArrayField(models.FloatField(), size=4))

    def __str__(self) -> str:
        return f"{self.ranking_id}: {self.game_id}"
