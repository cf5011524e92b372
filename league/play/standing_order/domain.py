"""What standing orders do when the turn of their seat comes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.bluff.track import BID, NO_BID
from engine.sheet.entry import SheetEntry
from engine.sheet.kniffel.online import KniffelSheet
from engine.sheet.online import OnlineSheet
from league.play.standing_order.models import StandingOrder


@dataclass(frozen=True, slots=True)
class OrderedAct:
    """What orders do where their seats are to act: the `entry` that one of them makes (None: a
    player acts), the `used` order, and those that `failed`, since they couldn't act."""

    entry: SheetEntry | None = None
    used: StandingOrder | None = None
    failed: Sequence[StandingOrder] = ()


def ordered_act(orders: Sequence[StandingOrder], sheet: OnlineSheet) -> OrderedAct:
    """Return what the orders of the seat whose turn it is do. A challenge comes before a raise.
    Rulings B4 to B6.

    `orders`: those of that seat. An order of an earlier round does nothing.
    """
    round_number = sheet.sheet.closed + 1
    standing = {order.kind: order for order in orders if holds(order, round_number)}
    played = sheet.round
    seat = {"seat": played.turn}
    challenge = standing.get(StandingOrder.OrderKind.CHALLENGE)
    if challenge is not None and played.bid != NO_BID and played.bid >= BID[challenge.bid]:
        return OrderedAct(SheetEntry("challenge", seat), challenge)
    raising = standing.get(StandingOrder.OrderKind.RAISE)
    if raising is None:
        return OrderedAct()
    if BID[raising.bid] in played.legal_bids():
        return OrderedAct(SheetEntry("bid", _bid(seat, raising)), raising)
    return OrderedAct(failed=[raising])


def ordered_answer(orders: Sequence[StandingOrder], sheet: KniffelSheet) -> OrderedAct:
    """Return the first answer that orders give, once each seat that is still asked has one that
    believes. Ruling K16.

    Until then they keep silent: an answer that comes at once would tell the others that it
    believes. `orders`: those of the seats for which the table waits, with their seats."""
    believing = {order.seat.number: order for order in orders if believes(order, sheet)}
    if not believing or set(believing) != set(sheet.to_act):
        return OrderedAct()
    seat, order = min(believing.items())
    return OrderedAct(
        SheetEntry("answer", {"seat": seat, "turn": sheet.closed, "doubt": False}), order
    )


def believes(order: StandingOrder, sheet: KniffelSheet) -> bool:
    """True if an order believes what was announced."""
    if order.points is None or sheet.announcement is None or not holds(order, sheet.closed + 1):
        return False
    return sheet.announcement.points <= order.points


def holds(order: StandingOrder, round_number: int) -> bool:
    """True if an order may still act in a round."""
    return not order.failed and (order.always or order.round == round_number)


def _bid(seat: dict[str, Any], order: StandingOrder) -> dict[str, Any]:
    return {**seat, "bid": order.bid}
