"""Sealed games that are played again from a round, on an open game of their own."""

from __future__ import annotations

from typing import Final

from django.db import models

from games.models.fact import Fact
from games.models.open_game import OpenGame
from games.models.void import Void

SEALED_GAME: Final = "sealed_game"
"""The writer of entries taken over from a sealed game, as nobody wrote them on this sheet."""


class PlayAgain(Fact):
    """A sealed game that is played again from the round `round_number`, counted from 1.

    The sheet of `open_game` already has the rounds before it. `voids_round`: it also has that
    round, as void. `void` keeps the sealed game from counting meanwhile, and says who decided that,
    when and why. Once the game is restored, that sheet is closed. Once the sheet is sealed, it is
    the next revision of the game.
    """

    open_game = models.OneToOneField(
        OpenGame, on_delete=models.PROTECT, primary_key=True, related_name="play_again"
    )
    void = models.OneToOneField(Void, on_delete=models.PROTECT, related_name="play_again")
    round_number = models.PositiveSmallIntegerField()
    voids_round = models.BooleanField()

    @property
    def is_taken_back(self) -> bool:
        """Return True if the sealed game was restored since, so that the new game is abandoned.
        One query."""
        return Void.objects.filter(game=self.void.game_id, number__gt=self.void.number).exists()

    def __str__(self) -> str:
        return f"{self.open_game_id} from round {self.round_number}"
