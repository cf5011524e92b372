"""Lügen-Kniffel on the pages of online tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import gettext_lazy

from games.queries.online_game import OnlineGame, cup_of
from league.core.viewer.web.viewer import PageContext
from league.play.online_table.domain.kniffel import kniffel_now, last_turn
from league.play.online_table.models import OnlineSeat
from league.play.online_table.queries import phrases_of, program_seats, seat_names
from league.play.online_table.tags import kniffel_reveal_word, kniffel_turn_word
from league.play.online_table.web.game_page import PlayPage, ScreenReaderText, SeatAct
from league.play.online_table.web.kniffel_form import (
    KniffelActForm,
    NewKniffelTableForm,
    UnsentRollForm,
)
from league.play.standing_order.domain import believes
from league.play.standing_order.models import StandingOrder
from league.play.standing_order.queries import orders_shown


def context(game: OnlineGame, seats: Sequence[OnlineSeat], seat: OnlineSeat | None) -> PageContext:
    """Return the template context of a game of Lügen-Kniffel for a seat, or for a spectator
    (None).
    """
    me = None
    dealt = None
    if seat is not None:
        me = seat.number
        dealt = cup_of(game, me)
    last = last_turn(game.sheet)
    now = kniffel_now(
        game.sheet,
        seat_names(seats),
        me,
        dealt,
        last,
        phrases_of(seats, timezone.now()),
        programs=program_seats(seats),
    )
    orders: list[StandingOrder] = []
    if seat is not None and not now.over:
        orders = orders_shown(seat, now.turn_number)
    return {
        "now": now,
        "last": last,
        "rules": game.sheet.record.rules,
        "turn_number": game.sheet.closed,
        "heard": ScreenReaderText(
            game.sheet.closed, kniffel_reveal_word(last), kniffel_turn_word(now)
        ),
        "orders": orders,
        "will_believe": now.may_answer and any(believes(order, game.sheet) for order in orders),
    }


def read_act(data: QueryDict, game: OnlineGame, seat: OnlineSeat) -> SeatAct | None:
    """Return the act that a form sent: the roller's, an answer, or leaving; None if it is
    incomplete.

    An answer names its turn instead of a length, so that other answers don't overtake it. Ruling
    K16: all answer at once.
    """
    form = KniffelActForm(data)
    if not form.is_valid():
        return None
    fields = form.cleaned_data
    act = fields["act"]
    length = fields["length"]
    key = form.uuid()
    if act == "roll":
        return SeatAct("roll", {"keep": fields["keep"]}, length, key)
    if act == "announce":
        return SeatAct("announce", {"say": fields["say"]}, length, key)
    if act == "leave":
        return SeatAct("leave", {}, None, key)
    return SeatAct("answer", {"turn": fields["turn"], "doubt": act == "doubt"}, None, key)


PAGE: Final = PlayPage(
    form=NewKniffelTableForm,
    script="league/play_kniffel.js",
    template="league/play/online_table/kniffel_game.html",
    context=context,
    read_act=read_act,
    incomplete=gettext_lazy("Choose what you announce."),
    unsent=UnsentRollForm,
)
