"""What standing orders do when it is the turn of their seat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.bluff.track import BID, NO_BID
from engine.sheet.entry import SheetEntry
from engine.sheet.kniffel.online import KniffelSheet
from engine.sheet.online import OnlineSheet
from league.play.standing_order.models import StandingOrder


@dataclass(frozen=True, slots=True)
class OrderedAct:
    """The result of the orders of the seats to act: the `entry` that one of them makes (None if a
    player must act), the `used` order, and the `failed` orders, which couldn't act.
    """

    entry: SheetEntry | None = None
    used: StandingOrder | None = None
    failed: Sequence[StandingOrder] = ()


def ordered_act(orders: Sequence[StandingOrder], sheet: OnlineSheet) -> OrderedAct:
    """Return the result of the orders of the seat to act in Bluff. An order to challenge comes
    before one to raise. Rulings B4 to B6: a seat raises or challenges the bid just before it.

    `orders`: of that seat. Orders for an earlier round do nothing.
    """
    round_number = sheet.sheet.closed + 1
    by_kind = {order.kind: order for order in orders if holds(order, round_number)}
    played = sheet.round

    challenge = by_kind.get(StandingOrder.OrderKind.CHALLENGE)
    if challenge is not None and played.bid != NO_BID and played.bid >= BID[challenge.bid]:
        return OrderedAct(SheetEntry("challenge", {"seat": played.turn}), challenge)

    raising = by_kind.get(StandingOrder.OrderKind.RAISE)
    if raising is None:
        return OrderedAct()
    if BID[raising.bid] not in played.legal_bids():
        return OrderedAct(failed=[raising])
    bid = SheetEntry("bid", {"seat": played.turn, "bid": raising.bid})
    return OrderedAct(bid, raising)


def ordered_answer(orders: Sequence[StandingOrder], sheet: KniffelSheet) -> OrderedAct:
    """Return the answer of the first seat's order, once each seat that is still asked has an order
    that believes the announcement. Ruling K16: nobody sees another's answer before they answer.

    Until then the orders don't answer: an immediate answer would reveal that the seat believes.
    `orders`: of the seats for which the table waits, with their seats.
    """
    believing = {order.seat.number: order for order in orders if believes(order, sheet)}
    if not believing or set(believing) != set(sheet.to_act):
        return OrderedAct()
    seat, order = min(believing.items())
    answer = SheetEntry("answer", {"seat": seat, "turn": sheet.closed, "doubt": False})
    return OrderedAct(answer, order)


def believes(order: StandingOrder, sheet: KniffelSheet) -> bool:
    """Return True if an order believes the current announcement."""
    if order.points is None or sheet.announcement is None or not holds(order, sheet.closed + 1):
        return False
    return sheet.announcement.points <= order.points


def holds(order: StandingOrder, round_number: int) -> bool:
    """Return True if an order may act in a round."""
    return not order.failed and (order.always or order.round == round_number)
