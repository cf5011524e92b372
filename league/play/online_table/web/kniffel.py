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
from league.play.online_table.queries import phrases_of
from league.play.online_table.tags import kniffel_reveal_word, kniffel_turn_word
from league.play.online_table.web.game_page import HeardPart, PlayPage, SeatAct
from league.play.online_table.web.kniffel_form import (
    KniffelActForm,
    NewKniffelTableForm,
    UnsentRollForm,
)
from league.play.standing_order.domain import believes
from league.play.standing_order.queries import orders_shown


def context(game: OnlineGame, seats: Sequence[OnlineSeat], seat: OnlineSeat | None) -> PageContext:
    """What a seat or a spectator sees of the game."""
    me = seat.number if seat else None
    last = last_turn(game.sheet)
    now = kniffel_now(
        game.sheet,
        [(each.name, bool(each.automatic)) for each in seats],
        me,
        None if me is None else cup_of(game, me),
        last,
        phrases_of(seats, timezone.now()),
        programs=[each.number for each in seats if each.is_program],
    )
    orders = orders_shown(seat, now.turn_number) if seat and not now.over else []
    return {
        "now": now,
        "last": last,
        "rules": game.sheet.record.rules,
        "turn_number": game.sheet.closed,
        "heard": HeardPart(game.sheet.closed, kniffel_reveal_word(last), kniffel_turn_word(now)),
        "orders": orders,
        "will_believe": now.may_answer and any(believes(order, game.sheet) for order in orders),
    }


def read_act(data: QueryDict, game: OnlineGame, seat: OnlineSeat) -> SeatAct | None:
    """What the roller does, what a seat answers, or that it leaves.

    An answer names its turn, so it stands whoever else has answered meanwhile. Ruling K16.
    """
    form = KniffelActForm(data)
    if not form.is_valid():
        return None
    fields = form.cleaned_data
    act, length, key = fields["act"], fields["length"], form.uuid()
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
