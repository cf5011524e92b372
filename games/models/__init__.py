"""Facts of the tables: games, their seats and their sealed rounds, and games that are being
written down."""

from games.models.device import Device
from games.models.game import Game, Kind, Seat
from games.models.hidden_act import HiddenAct
from games.models.open_game import (
    DealerSecret,
    OpenGame,
    OpenSeat,
    OpenSheet,
    SealedSheet,
    SheetBranch,
    SheetEntry,
)
from games.models.play_again import PlayAgain
from games.models.round import Round
from games.models.void import Void

__all__ = [
    "DealerSecret",
    "Device",
    "Game",
    "HiddenAct",
    "Kind",
    "OpenGame",
    "OpenSeat",
    "OpenSheet",
    "PlayAgain",
    "Round",
    "SealedSheet",
    "Seat",
    "SheetBranch",
    "SheetEntry",
    "Void",
]
