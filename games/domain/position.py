"""One moment of a recorded game of Bluff, as somebody at the table saw it."""

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

    `dice`: what the viewer sees of them, the dice laid out (`open_dice`) among them; None while the
    cup stays down, over `hidden` dice. `recorded`: whether the record tells what is under it."""

    seat: int
    dice: str | None
    open_dice: str
    hidden: int
    recorded: bool

    @property
    def unseen(self) -> str:
        """The dice under a cup that stays down, as a hand."""
        return "?" * self.hidden


@dataclass(frozen=True, slots=True)
class Position:
    """The table just before a move; `round_number` and `move_number` count from 1, as on the page.

    `seat`: the one to act. `bid`: the bid on the table, by `bidder`; None where there is none, or
    none is recorded."""

    round_number: int
    move_number: int
    seat: int
    viewer: Perspective
    bid: str | None
    bidder: int | None
    cups: tuple[SeenCup, ...]

    @property
    def face(self) -> str:
        """The face of the bid on the table, empty where there is none."""
        return self.bid[-1] if self.bid else ""

    @property
    def recorded(self) -> bool:
        """True if the record tells the dice under every cup at this moment."""
        return all(cup.recorded for cup in self.cups)


def position_of(
    record: Record, round_number: int, move_number: int, viewer: Callable[[int], Perspective]
) -> Position:
    """The position before a move; `viewer` gives the perspective for the seat that is to act.

    IndexError if the record tells no such moment.
    """
    played, moment = moment_at(record, round_number - 1, move_number - 1)
    perspective = viewer(moment.seat)
    seen_cups = cups_seen(moment, perspective)
    cups = []
    for seat, dice in enumerate(played.owned):
        if dice:
            cup, open_dice = seen_cups[seat], moment.shown[seat]
            hand = None if cup is None else sort_hand(cup + open_dice)
            cups.append(
                SeenCup(seat, hand, open_dice, moment.hidden[seat], moment.cups[seat] is not None)
            )
    on_table = moment.bid is not None and moment.bid != NO_BID
    return Position(
        round_number=round_number,
        move_number=move_number,
        seat=moment.seat,
        viewer=perspective,
        bid=TEXT[moment.bid] if on_table and moment.bid is not None else None,
        bidder=moment.bidder if on_table else None,
        cups=tuple(cups),
    )
