"""Facts of the tables: games, their seats and their sealed rounds, and the outbox that announces them."""

from games.models.game import Game, Seat
from games.models.outbox import Outbox
from games.models.round import Round

__all__ = ["Game", "Outbox", "Round", "Seat"]
