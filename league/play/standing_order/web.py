"""The views with which a seat gives and withdraws standing orders; the table's page shows them to
that seat.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Final

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext_lazy

from engine.bluff.track import BID
from engine.kniffel.combinations import MOST_POINTS
from games.models import Kind
from league.play.online_table.domain.bluff import bid_of_form
from league.play.online_table.models import OnlineSeat, OnlineTable
from league.play.online_table.web.seat import seat_only, table_saying
from league.play.standing_order.models import StandingOrder
from league.play.standing_order.services import order_give, order_withdraw

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


class OrderForm(forms.Form):
    """An order. `incomplete`: the message if it isn't complete."""

    incomplete: ClassVar[StrOrPromise]

    always = forms.BooleanField(required=False)

    @abstractmethod
    def order(self) -> dict[str, Any]:
        """Return the order as arguments of `order_give`."""


class BluffOrderForm(OrderForm):
    """An order in Bluff: its kind, and the bid as a count and a face."""

    incomplete = gettext_lazy("Choose how many, and which face.")

    kind = forms.ChoiceField(choices=StandingOrder.OrderKind.choices)
    count = forms.IntegerField(min_value=1, max_value=40)
    face = forms.RegexField(r"^[1-5*]$")

    def clean(self) -> dict[str, Any]:
        """Compose the bid, and refuse one that isn't on the track."""
        data: dict[str, Any] = super().clean() or self.cleaned_data
        if "count" not in data or "face" not in data:
            return data
        count = data["count"]
        face = data["face"]
        field = f"{count}*" if face == "*" else str(count)
        data["bid"] = bid_of_form(field, face, cup="", rolled=())
        if data["bid"] not in BID:
            self.add_error("count", "")
        return data

    def order(self) -> dict[str, Any]:
        """Return the order as arguments of `order_give`."""
        return {name: self.cleaned_data[name] for name in ("kind", "bid", "always")}


class BelieveOrderForm(OrderForm):
    """An order in Lügen-Kniffel: the most points to believe."""

    incomplete = gettext_lazy("Say up to how many points you would believe.")

    points = forms.IntegerField(min_value=0, max_value=MOST_POINTS)

    def order(self) -> dict[str, Any]:
        """Return the order as arguments of `order_give`."""
        fields = {name: self.cleaned_data[name] for name in ("points", "always")}
        return {"kind": StandingOrder.OrderKind.BELIEVE, **fields}


ORDER_FORMS: Final[Mapping[str, type[OrderForm]]] = {
    Kind.BLUFF: BluffOrderForm,
    Kind.LUEGEN_KNIFFEL: BelieveOrderForm,
}
"""By the kind of game."""


@seat_only
def give_order(request: HttpRequest, table: OnlineTable, seat: OnlineSeat) -> HttpResponse:
    """Give an order for the seat's next turn."""
    form = ORDER_FORMS[table.kind](request.POST)
    if not form.is_valid():
        return table_saying(request, table, str(form.incomplete), level=messages.ERROR)
    order_give(table=table, seat=seat, **form.order())
    return redirect("online-table", table.public_id)


@seat_only
def withdraw_order(request: HttpRequest, table: OnlineTable, seat: OnlineSeat) -> HttpResponse:
    """Withdraw the order of a kind."""
    order_withdraw(seat=seat, kind=request.POST.get("kind", ""))
    return redirect("online-table", table.public_id)
