"""The chat of a private table: writing a line, muting and reporting."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext

from league.core.frame.numbers import whole_number
from league.play.chat.queries import has_chat, line_of_table
from league.play.chat.services import line_report, line_say, seat_mute
from league.play.online_table.models import OnlineSeat, OnlineTable
from league.play.online_table.web.seat import seat_only, table_saying


@seat_only
def chat_say(request: HttpRequest, table: OnlineTable, seat: OnlineSeat) -> HttpResponse:
    """Write a line in the chat of the table."""
    line_say(table=table, seat=seat, text=request.POST.get("text", ""))
    return redirect("online-table", table.public_id)


@seat_only
def chat_mute(request: HttpRequest, table: OnlineTable, seat: OnlineSeat) -> HttpResponse:
    """Hide the chat lines of another seat from the reader's seat, or show them again."""
    number = whole_number(request.POST.get("seat", ""))
    if number is None:
        raise Http404
    other = table.seats.filter(number=number).first()
    if other is None or not has_chat(table):
        raise Http404
    seat_mute(seat=seat, other=other, muted=request.POST.get("muted") == "yes")
    return redirect("online-table", table.public_id)


@seat_only
def chat_report(request: HttpRequest, table: OnlineTable, seat: OnlineSeat) -> HttpResponse:
    """Report a chat line to the organisers of the club."""
    line = line_of_table(table, request.POST.get("line", ""))
    if line is None:
        raise Http404
    line_report(line=line, seat=seat)
    words = gettext("Reported. The club’s organisers will read the message and those around it.")
    return table_saying(request, table, words)
