"""The analysis of a game of which only the end is known."""

from typing import Final

from engine.record.record import Record
from engine.record.shape import Json

NOTHING: Final = "Only the end of the game is known: there is nothing to analyse."


def nothing_json(record: Record) -> dict[str, Json]:
    """Return the game as a JSON object which says that there is nothing to analyse."""
    return {
        "id": record.record_id,
        "game": record.game,
        "seats": list(record.seats),
        "cannot_tell": [NOTHING],
    }
