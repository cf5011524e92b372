"""Giving another seat more time."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext

from league.core.frame.numbers import whole_number
from league.play.online_table.models import OnlineSeat, OnlineTable
from league.play.online_table.services.clock import time_give
from league.play.online_table.web.seat import seat_only, table_saying


@seat_only
def more_time(request: HttpRequest, table: OnlineTable, seat: OnlineSeat) -> HttpResponse:
    """Give the seat whose turn it is 60 seconds more."""
    length = whole_number(request.POST.get("length", ""))
    if length is None:
        return redirect("online-table", table.public_id)
    time_give(table=table, by=seat, length=length)
    return table_saying(request, table, gettext("60 more seconds given."))
