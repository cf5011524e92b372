"""Who writes and seals: with which address, for how long, and what happens by time."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.urls import reverse

from games.services.open_game import Writer
from league.sheets.sheet.models import SeasonOpenGame
from league.stages.table.models import Table

LASTS: Final = timedelta(hours=48)
"""So long is a key good: for an evening that runs over midnight, and a phone that finds its network
the next day."""
BY_TIME: Final = Writer(automatic="time")
"""Who seals a game for which nobody gave the word in time."""


def score_address(subject: Table | SeasonOpenGame, key: str) -> str:
    """Return the address of the scorer of a table, or of a game without one, with a key. The key is
    after #, so it is never sent to a server or logged by one."""
    if isinstance(subject, SeasonOpenGame):
        return f"{reverse('score-game', args=[subject.open_game.public_id])}#{key}"
    return f"{reverse('score', args=[subject.public_id])}#{key}"
