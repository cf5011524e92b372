"""Giving and withdrawing standing orders.

They act in the transaction of the previous act. Nothing else reveals them: no log, no stream, no
version of the table.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.db import transaction

from engine.bluff.track import BID
from engine.illegal import Illegal, Refused
from engine.kniffel.combinations import MOST_POINTS
from engine.messages import say
from engine.sheet.dealt import DealtSheet
from engine.sheet.entry import SheetEntry
from engine.sheet.kniffel.online import KniffelSheet
from engine.sheet.online import OnlineSheet
from games.models import OpenSheet
from games.queries.online_game import online_game
from games.services.open_game import Writer
from league.core.account.models import User
from league.core.player.models import Player
from league.play.online_table.models import OnlineSeat, OnlineTable
from league.play.standing_order.domain import ordered_act, ordered_answer
from league.play.standing_order.models import StandingOrder
from league.play.standing_order.queries import orders_at

OTHER_GAME: Final = Illegal("bad_record", say("this game has no such standing order"), path="kind")


@transaction.atomic
def order_give(
    *,
    table: OnlineTable,
    seat: OnlineSeat,
    kind: str,
    bid: str = "",
    points: int | None = None,
    always: bool = False,
) -> StandingOrder:
    """Store the order of a seat for its next turn, replacing its former order of this kind.

    In Bluff an order has a `bid`, in Lügen-Kniffel `points`. If the seat can't act again in this
    round, the order holds for the next one; a challenge or a belief may hold for all rounds
    (`always`). Raise `Refused`: `not_started`, `game_over`, `wrong_seat`, `own_turn`,
    `not_a_raise`, and `bad_record` for an invalid bid, for points that nobody can announce, and
    for an order of another game.
    """
    if table.open_game_id is None:
        raise Refused(Illegal("not_started", say("the game hasn't begun")))
    kind = StandingOrder.OrderKind(kind)
    # A lock: the row itself isn't needed.
    OpenSheet.objects.select_for_update(no_key=True).get(open_game=table.open_game_id)
    sheet = online_game(table.open_game_id).sheet
    _refuse_seat_that_cant_order(sheet, seat.number)
    if isinstance(sheet, KniffelSheet):
        _refuse_belief(kind, points)
    else:
        assert isinstance(sheet, OnlineSheet)
        _refuse_bid(sheet, kind, bid)

    round_number = sheet.closed + 1
    if sheet.asks_all:
        round_number += 1  # This seat can't act again in the current round.
    fields = {
        "user": seat.user,
        "bid": bid,
        "points": points,
        "round": round_number,
        "always": always and kind != StandingOrder.OrderKind.RAISE,
        "failed": False,
    }
    order, _ = StandingOrder.objects.update_or_create(seat=seat, kind=kind, defaults=fields)
    return order


def order_withdraw(*, seat: OnlineSeat, kind: str) -> None:
    """Withdraw the order of a kind that a seat has given, or dismiss the note that it failed.
    Idempotent.
    """
    StandingOrder.objects.filter(seat=seat, kind=kind).delete()


def order_act(
    *, seats: Sequence[OnlineSeat], sheet: DealtSheet
) -> tuple[Writer, SheetEntry] | None:
    """Return the act that an order makes for one of the seats to act, in the transaction of the
    previous act; None if players must act.

    An order that acts is used up, unless it holds for all rounds. One that can't act is marked as
    failed.
    """
    orders = orders_at(seats)
    if isinstance(sheet, KniffelSheet):
        ordered = ordered_answer(orders, sheet)
    else:
        assert isinstance(sheet, OnlineSheet)
        ordered = ordered_act(orders, sheet)
    for order in ordered.failed:
        order.failed = True
        order.save(update_fields=["failed"])
    if ordered.entry is None or ordered.used is None:
        return None
    if not ordered.used.always:
        ordered.used.delete()
    return Writer(seat=ordered.used.seat.number), ordered.entry


def raise_order_end(*, seat: OnlineSeat) -> None:
    """Delete the order to raise of a seat that has acted itself; the order was for this turn."""
    StandingOrder.objects.filter(seat=seat, kind=StandingOrder.OrderKind.RAISE).delete()


def orders_end(*, table: OnlineTable) -> None:
    """Delete all orders at a table whose game is over."""
    StandingOrder.objects.filter(seat__table=table).delete()


def orders_keep(*, seat: OnlineSeat, user: User) -> None:
    """Give the orders of a guest's seat to the account that keeps the seat."""
    StandingOrder.objects.filter(seat=seat).update(user=user)


def orders_forget(*, players: Sequence[Player]) -> None:
    """Delete the orders of erased players."""
    StandingOrder.objects.filter(seat__player__in=players).delete()


def _refuse_seat_that_cant_order(sheet: DealtSheet, seat: int) -> None:
    if sheet.over:
        raise Refused(sheet.record.kind.game_over)
    if seat not in sheet.staying:
        raise Refused(Illegal("wrong_seat", say("you are out of this game")))
    if seat in sheet.to_act:
        raise Refused(Illegal("own_turn", say("it is your turn: act now")))


def _refuse_bid(sheet: OnlineSheet, kind: StandingOrder.OrderKind, bid: str) -> None:
    if kind == StandingOrder.OrderKind.BELIEVE:
        raise Refused(OTHER_GAME)
    if bid not in BID:
        raise Refused(Illegal("bad_record", say("choose a bid on the track"), path="bid"))
    if kind == StandingOrder.OrderKind.RAISE and BID[bid] not in sheet.round.legal_bids():
        message = say("this bid doesn't raise the last one")
        raise Refused(Illegal("not_a_raise", message, path="bid"))


def _refuse_belief(kind: StandingOrder.OrderKind, points: int | None) -> None:
    if kind != StandingOrder.OrderKind.BELIEVE:
        raise Refused(OTHER_GAME)
    if points is None or not 0 <= points <= MOST_POINTS:
        message = say("choose points that can be announced")
        raise Refused(Illegal("bad_record", message, path="points"))
