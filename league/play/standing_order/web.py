"""The buttons by which a seat gives and withdraws standing orders; the table's page shows them to that seat."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext

from engine.bluff.track import BID
from league.core.frame.saying import redirect_saying
from league.play.online_table.domain.bluff import bid_of_form
from league.play.online_table.models import OnlineSeat, OnlineTable
from league.play.online_table.web.seat import seat_only
from league.play.standing_order.models import StandingOrder
from league.play.standing_order.services import order_give, order_withdraw


class OrderForm(forms.Form):
    """An order: its kind, and the bid by how many and which face."""

    kind = forms.ChoiceField(choices=StandingOrder.OrderKind.choices)
    count = forms.IntegerField(min_value=1, max_value=40)
    face = forms.RegexField(r"^[1-5*]$")
    always = forms.BooleanField(required=False)

    def bid(self) -> str:
        """The bid, as an entry has it; it needn't be one of the track."""
        count, face = self.cleaned_data["count"], self.cleaned_data["face"]
        return bid_of_form(f"{count}*" if face == "*" else str(count), face, "", ())


@seat_only
def give_order(request: HttpRequest, table: OnlineTable, seat: OnlineSeat) -> HttpResponse:
    """Order what the seat does when its turn comes."""
    form = OrderForm(request.POST)
    if not form.is_valid() or form.bid() not in BID:
        words = gettext("Choose how many, and of which face.")
        return redirect_saying(request, words, "online-table", table.public_id, level=messages.ERROR)
    data = form.cleaned_data
    order_give(table=table, seat=seat, kind=data["kind"], bid=form.bid(), always=data["always"])
    return redirect("online-table", table.public_id)


@seat_only
def withdraw_order(request: HttpRequest, table: OnlineTable, seat: OnlineSeat) -> HttpResponse:
    """Withdraw the order of a kind."""
    order_withdraw(seat=seat, kind=request.POST.get("kind", ""))
    return redirect("online-table", table.public_id)
