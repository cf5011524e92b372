"""Giving and withdrawing standing orders. They act in the transaction of the act before, and nothing else tells of
them: no log, no stream, no version of the table."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction

from engine.bluff.track import BID
from engine.illegal import Illegal, Refused
from engine.messages import say
from engine.sheet.entry import SheetEntry
from engine.sheet.online import OnlineSheet
from games.models import OpenSheet
from games.queries.online_game import online_game
from league.core.account.models import User
from league.core.player.models import Player
from league.play.online_table.models import OnlineSeat, OnlineTable
from league.play.standing_order.domain import ordered_act
from league.play.standing_order.models import StandingOrder
from league.play.standing_order.queries import orders_of


@transaction.atomic
def order_give(*, table: OnlineTable, seat: OnlineSeat, kind: str, bid: str, always: bool = False) -> StandingOrder:
    """Order what a seat does when its turn comes, in place of its earlier order of this kind.

    Only an order to challenge may hold for all rounds (`always`). Raises `Refused`: `not_started`, `game_over`,
    `wrong_seat`, `own_turn`, `not_a_raise`, and `bad_record` for what is no bid.
    """
    if table.open_game_id is None:
        raise Refused(Illegal("not_started", say("the game hasn't begun")))
    if bid not in BID:
        raise Refused(Illegal("bad_record", say("choose a bid of the track"), path="bid"))
    OpenSheet.objects.select_for_update(no_key=True).get(open_game=table.open_game_id)
    sheet = online_game(table.open_game_id).sheet
    kind = StandingOrder.OrderKind(kind)
    _refuse(sheet, seat.number, kind, bid)
    order, _ = StandingOrder.objects.update_or_create(
        seat=seat,
        kind=kind,
        defaults={
            "user": seat.user,
            "bid": bid,
            "round": sheet.sheet.closed + 1,
            "always": always and kind == StandingOrder.OrderKind.CHALLENGE,
            "failed": False,
        },
    )
    return order


def order_withdraw(*, seat: OnlineSeat, kind: str) -> None:
    """Withdraw the order of a kind that a seat has given, or put away the word that it couldn't act. Twice is once."""
    StandingOrder.objects.filter(seat=seat, kind=kind).delete()


def order_act(*, seat: OnlineSeat, sheet: OnlineSheet) -> SheetEntry | None:
    """Return the entry that an order of the seat makes whose turn it is, in the transaction of the act before; None if
    the player has to act.

    An order that acts is used up, unless it holds for all rounds; one that can't act ends.
    """
    ordered = ordered_act(orders_of(seat), sheet)
    if ordered.used is not None and not ordered.used.always:
        ordered.used.delete()
    for order in ordered.failed:
        order.failed = True
        order.save(update_fields=["failed"])
    return ordered.entry


def raise_order_end(*, seat: OnlineSeat) -> None:
    """End the order to raise of a seat that acts for itself: it was for this turn."""
    StandingOrder.objects.filter(seat=seat, kind=StandingOrder.OrderKind.RAISE).delete()


def orders_end(*, table: OnlineTable) -> None:
    """End all orders at a table whose game is over."""
    StandingOrder.objects.filter(seat__table=table).delete()


def orders_keep(*, seat: OnlineSeat, user: User) -> None:
    """Let the orders of a guest's seat be those of the account that keeps it."""
    StandingOrder.objects.filter(seat=seat).update(user=user)


def orders_forget(*, players: Sequence[Player]) -> None:
    """Forget the orders of erased players, at whose seats nobody sits any more."""
    StandingOrder.objects.filter(seat__player__in=players).delete()


def _refuse(sheet: OnlineSheet, seat: int, kind: StandingOrder.OrderKind, bid: str) -> None:
    if sheet.over:
        raise Refused(sheet.record.kind.game_over)
    if not sheet.game.owned[seat]:
        raise Refused(Illegal("wrong_seat", say("you are out of this game")))
    if sheet.round.turn == seat:
        raise Refused(Illegal("own_turn", say("it is your turn: act now")))
    if kind == StandingOrder.OrderKind.RAISE and BID[bid] not in sheet.round.legal_bids():
        raise Refused(Illegal("not_a_raise", say("this bid doesn't raise the last one"), path="bid"))
