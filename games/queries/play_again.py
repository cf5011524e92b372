"""Queries of games that are played again from a round."""

from __future__ import annotations

from typing import Final

from django.db.models import Exists, OuterRef, QuerySet

from games.models import Game, PlayAgain, SheetEntry, Void
from games.models.play_again import SEALED_GAME

IS_TAKEN_BACK: Final = Exists(
    Void.objects.filter(game=OuterRef("void__game"), number__gt=OuterRef("void__number"))
)
"""Whether the sealed game of a `PlayAgain` row was restored since."""


def games_played_again() -> QuerySet[PlayAgain]:
    """Return the games that are being played again: neither sealed again nor restored."""
    return PlayAgain.objects.filter(~IS_TAKEN_BACK, open_game__sheet__sealed=None)


def play_again_of(game: Game) -> PlayAgain | None:
    """Return the `PlayAgain` of a game that is being played again, with its open game, or None.
    One query."""
    return games_played_again().select_related("open_game", "void").filter(void__game=game).first()


def is_begun(play_again: PlayAgain) -> bool:
    """Return True if the sheet has other entries than those taken over from the sealed game. One
    query."""
    entries = SheetEntry.objects.filter(sheet__open_game=play_again.open_game_id)
    return entries.exclude(automatic=SEALED_GAME).exists()
