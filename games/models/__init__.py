"""Facts of the tables: games, their seats and their sealed rounds."""

from games.models.game import Game, Kind, Seat
from games.models.round import Round
from games.models.void import Void

__all__ = ["Game", "Kind", "Round", "Seat", "Void"]
