"""A moment of a recorded game of Bluff, as seen from a perspective."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from engine.analysis.moment import Perspective, cups_seen, moment_at
from engine.bluff.hand import sort_hand
from engine.bluff.track import NO_BID, TEXT
from engine.record.record import Record


@dataclass(frozen=True, slots=True)
class SeenCup:
    """The cup of a seat that owns dice.

    `dice`: those the viewer sees, including dice laid out (`open_dice`); None while the cup is
    down, over `hidden` dice. `recorded`: whether the dice under it are recorded.
    """

    seat: int
    dice: str | None
    open_dice: str
    hidden: int
    recorded: bool

    @property
    def unseen(self) -> str:
        """Return the dice under a cup that is down, as a hand of question marks."""
        return "?" * self.hidden


@dataclass(frozen=True, slots=True)
class Position:
    """The table just before a move; `round_number` and `move_number` count from 1, as on the page.

    `seat`: the one to act. `bid`: the bid on the table, by `bidder`; None if there is none, or none
    is recorded.
    """

    round_number: int
    move_number: int
    seat: int
    viewer: Perspective
    bid: str | None
    bidder: int | None
    cups: tuple[SeenCup, ...]

    @property
    def face(self) -> str:
        """Return the face of the bid on the table, empty if there is none."""
        if self.bid is None:
            return ""
        return self.bid[-1]

    @property
    def recorded(self) -> bool:
        """Return True if the dice under every cup are recorded at this moment."""
        return all(cup.recorded for cup in self.cups)


def position_of(
    record: Record, round_number: int, move_number: int, viewer: Callable[[int], Perspective]
) -> Position:
    """Return the position before a move; raise IndexError if the record has no such moment.

    `viewer`: a function that returns the perspective, given the seat to act."""
    played, moment = moment_at(record, round_number - 1, move_number - 1)
    perspective = viewer(moment.seat)
    seen_cups = cups_seen(moment, perspective)
    cups = []
    for seat, dice in enumerate(played.owned):
        if not dice:
            continue
        seen_cup = seen_cups[seat]
        open_dice = moment.shown[seat]
        cups.append(
            SeenCup(
                seat=seat,
                dice=None if seen_cup is None else sort_hand(seen_cup + open_dice),
                open_dice=open_dice,
                hidden=moment.hidden[seat],
                recorded=moment.cups[seat] is not None,
            )
        )
    bid = None
    bidder = None
    if moment.bid is not None and moment.bid != NO_BID:
        bid = TEXT[moment.bid]
        bidder = moment.bidder
    return Position(
        round_number=round_number,
        move_number=move_number,
        seat=moment.seat,
        viewer=perspective,
        bid=bid,
        bidder=bidder,
        cups=tuple(cups),
    )
