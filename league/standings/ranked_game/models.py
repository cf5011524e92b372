"""Which games count in a ranking, and who sat in them."""

from __future__ import annotations

from django.db import models

from games.models import Game
from league.core.player.models import Player
from league.standings.ranking.models import Ranking


class RankedGame(models.Model):
    """A game that a ranking has counted. (`played_at`, `natural_id`) is its place in the order of
    play, which depends on the facts alone, never on the order of arrival. `natural_id` is the
    record's id as `engine.scoring.natural` writes it. A game without a time comes last (`UNTIMED`).
    `event` is the one that the record names, if any.

    A game that isn't `over` is listed and counts for nothing. The same holds for a `voided` one,
    which is never `over`. `only_end`: its record has no rounds."""

    pk = models.CompositePrimaryKey("ranking", "game")
    ranking = models.ForeignKey(
        Ranking, on_delete=models.PROTECT, related_name="ranked_games", db_index=False
    )
    game = models.ForeignKey(
        Game, on_delete=models.PROTECT, related_name="ranked_games", db_index=False
    )
    played_at = models.DateTimeField()
    natural_id = models.CharField(max_length=192, db_collation="C")
    event = models.CharField(max_length=64, blank=True, default="", db_collation="C")
    over = models.BooleanField()
    only_end = models.BooleanField()
    voided = models.BooleanField(default=False, db_default=False)

    class Meta:
        ordering = ["ranking", "played_at", "natural_id"]
        indexes = [
            models.Index(fields=["ranking", "played_at", "natural_id"], name="order_of_play"),
            models.Index(
                fields=["ranking", "event", "played_at", "natural_id"],
                name="order_of_play_at_event",
                condition=models.Q(event__gt=""),
            ),
            models.Index(
                fields=["ranking"], name="only_end_in_ranking", condition=models.Q(only_end=True)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.ranking_id}: {self.natural_id}"


class Appearance(models.Model):
    """A player's seat in a game of a ranking, with its rank and points, which are None until the
    game is over. `penalty`: the points that an arbiter takes off; `points` still include them.

    `counts_for`: the player whose row the seat counts in; None for a guest's. The rating is that of
    the player who sat there."""

    pk = models.CompositePrimaryKey("ranking", "game", "seat")
    ranking = models.ForeignKey(
        Ranking, on_delete=models.PROTECT, related_name="appearances", db_index=False
    )
    game = models.ForeignKey(
        Game, on_delete=models.PROTECT, related_name="appearances", db_index=False
    )
    player = models.ForeignKey(
        Player, on_delete=models.PROTECT, related_name="appearances", db_index=False
    )
    counts_for = models.ForeignKey(
        Player, on_delete=models.PROTECT, null=True, related_name="+", db_index=False
    )
    seat = models.PositiveSmallIntegerField()
    rank = models.PositiveSmallIntegerField(null=True)
    points = models.SmallIntegerField(null=True)
    penalty = models.PositiveSmallIntegerField(default=0, db_default=0)

    class Meta:
        indexes = [
            models.Index(fields=["player", "ranking"], name="appearances_of_player"),
            models.Index(fields=["counts_for", "ranking"], name="appearances_counting"),
            models.Index(
                fields=["ranking"],
                name="appearances_for_others",
                condition=models.Q(counts_for=None) | ~models.Q(counts_for=models.F("player")),
            ),
            models.Index(
                fields=["ranking", "counts_for"],
                name="appearances_with_penalty",
                condition=models.Q(penalty__gt=0),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} in {self.game_id}"
