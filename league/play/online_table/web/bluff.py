"""Bluff on the pages of online tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import gettext_lazy

from games.queries.online_game import OnlineGame, cup_of, last_reveal
from league.core.viewer.web.viewer import PageContext
from league.play.online_table.domain.bluff import showdown, table_now
from league.play.online_table.models import OnlineSeat
from league.play.online_table.queries import phrases_of, program_seats, seat_names
from league.play.online_table.tags import reveal_word, turn_word
from league.play.online_table.web.game_page import PlayPage, ScreenReaderText, SeatAct
from league.play.online_table.web.online_table_form import ActForm, NewTableForm, UnsentBidForm
from league.play.standing_order.models import StandingOrder
from league.play.standing_order.queries import orders_shown


def context(game: OnlineGame, seats: Sequence[OnlineSeat], seat: OnlineSeat | None) -> PageContext:
    """Return the template context of a game of Bluff for a seat, or for a spectator (None)."""
    me = None
    cup = ""
    if seat is not None:
        me = seat.number
        cup = cup_of(game, me)
    last = None
    value = last_reveal(game.row)
    if value is not None:
        last = showdown(game.sheet.record.rules, value)
    now = table_now(
        game.sheet,
        seat_names(seats),
        me,
        cup,
        phrases_of(seats, timezone.now()),
        programs=program_seats(seats),
    )
    orders: list[StandingOrder] = []
    if seat is not None and not now.over:
        orders = orders_shown(seat, now.round_number)
    return {
        "now": now,
        "last": last,
        "heard": ScreenReaderText(now.round_number, reveal_word(now, last), turn_word(now)),
        "orders": orders,
    }


def read_act(data: QueryDict, game: OnlineGame, seat: OnlineSeat) -> SeatAct | None:
    """Return the act that a form sent: a bid, a challenge, or leaving; None if it is incomplete."""
    form = ActForm(data)
    if not form.is_valid():
        return None
    act = form.cleaned_data["act"]
    length = form.cleaned_data["length"]
    if act == "leave":
        return SeatAct(act, {}, None, form.uuid())
    if act == "challenge":
        return SeatAct(act, {}, length, form.uuid())
    cup = cup_of(game, seat.number) if form.cleaned_data["roll"] else ""
    return SeatAct(act, {"bid": form.bid(cup)}, length, form.uuid())


PAGE: Final = PlayPage(
    form=NewTableForm,
    script="",
    template="league/play/online_table/game.html",
    context=context,
    read_act=read_act,
    incomplete=gettext_lazy("Choose a field and a face."),
    unsent=UnsentBidForm,
)
