"""The address of the scorer, how long a key lasts, and the writer of automatic seals."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.urls import reverse

from games.services.open_game import Writer
from league.sheets.sheet.models import SeasonOpenGame
from league.stages.table.models import Table

LASTS: Final = timedelta(hours=48)
"""How long a key is valid: for an evening that runs past midnight, and for a phone that finds its
network the next day."""
BY_TIME: Final = Writer(automatic="time")
"""The writer who seals a game that nobody has confirmed in time."""


def score_address(subject: Table | SeasonOpenGame, key: str) -> str:
    """Return the address of the scorer for a table, or for a game without one, with a key. The key
    follows a #, so browsers don't send it to the server, which could log it."""
    if isinstance(subject, SeasonOpenGame):
        return f"{reverse('score-game', args=[subject.open_game.public_id])}#{key}"
    return f"{reverse('score', args=[subject.public_id])}#{key}"
