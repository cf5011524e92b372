"""Which games count in a season, and who sat in them."""

from django.db import models

from games.models import Game, Seat
from league.clubs.models.player import Player
from league.rankings.models.season import Season


class SeasonGame(models.Model):
    """A game that belongs to a season. (`played_at`, `external_id`) is its place in the order of play: it depends on
    the facts alone, never on which record arrived first. A game without a time comes last (`UNTIMED`).

    `counted` says that the table and the ratings hold it.
    """

    season = models.ForeignKey(Season, on_delete=models.PROTECT, related_name="season_games")
    game = models.OneToOneField(Game, on_delete=models.PROTECT, related_name="season_game")
    played_at = models.DateTimeField()
    external_id = models.CharField(max_length=64, db_collation="C")
    counted = models.BooleanField(default=False)

    class Meta:
        ordering = ["season", "played_at", "external_id"]
        indexes = [models.Index(fields=["season", "played_at", "external_id"], name="season_game_order_of_play")]

    def __str__(self) -> str:
        return f"{self.season_id}: {self.external_id}"


class Appearance(models.Model):
    """A player's seat in a game of a season, with what it brought: null until the game is over."""

    season_game = models.ForeignKey(SeasonGame, on_delete=models.PROTECT, related_name="appearances")
    season = models.ForeignKey(Season, on_delete=models.PROTECT, related_name="+")
    seat = models.OneToOneField(Seat, on_delete=models.PROTECT, related_name="appearance")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="appearances")
    rank = models.PositiveSmallIntegerField(null=True)
    points = models.SmallIntegerField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["season_game", "player"], name="player_sits_once_at_a_table"),
        ]
        indexes = [models.Index(fields=["player", "season"], name="appearance_of_player")]

    def __str__(self) -> str:
        return f"{self.player_id} in {self.season_game_id}"
