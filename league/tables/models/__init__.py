"""The models of tables, one noun a file."""

from league.tables.models.draw import Draw
from league.tables.models.table import StageRound, Table, TableGame, TableScore, TableSeat, Walkover

__all__ = [
    "Draw",
    "StageRound",
    "Table",
    "TableGame",
    "TableScore",
    "TableSeat",
    "Walkover",
]
