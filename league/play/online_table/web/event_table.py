"""The online tables of an event: opening one, checking in, pausing, and links for players without
an account.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Final

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from engine.illegal import Refused
from league.core.frame.letter_link import public_address
from league.core.frame.numbers import whole_number
from league.core.frame.saying import redirect_saying
from league.core.log.services import Actor
from league.core.viewer.web.viewer import PageContext, page_of, signed_in
from league.play.online_table.models import OnlineSeat, OnlineTable
from league.play.online_table.queries import no_show_at, online_table_for, starts_at
from league.play.online_table.services.event_table import (
    begin_without_absent,
    event_table_open,
    seat_check_in,
    seat_link_renew,
    table_pause,
    table_resume,
)
from league.play.online_table.web.seat import refused_page, seat_only, table_saying
from league.stages.stage.domain.table_name import number_of, table_name
from league.stages.table.models import Table
from league.stages.table.queries.access import table_for_playing

COUNTDOWN: Final = timedelta(hours=1)
"""A countdown is shown this long before the start."""


@never_cache
@require_POST
@page_of(table_for_playing)
def event_table_online(request: HttpRequest, table: Table) -> HttpResponse:
    """Redirect to the online table for the next game of an event's table."""
    try:
        opened = event_table_open(table=table)
    except Refused as refused:
        words = refused.illegal.message.translated(gettext)
        return redirect_saying(request, words, "table", table.public_id, level=messages.ERROR)
    return redirect("online-table", opened.public_id)


def event_table_context(
    request: HttpRequest, table: OnlineTable, seat: OnlineSeat | None
) -> PageContext:
    """Return the template context about the event and its table; `seat`: the reader's own."""
    stage_table = table.stage_table
    assert stage_table is not None
    event = stage_table.stage_round.stage.event
    no_show = no_show_at(table)
    now = timezone.now()
    begins = starts_at(table)
    scores = request.user.has_perm("league.score_event", event)
    is_present = seat is not None and seat.present_at is not None
    takes_part = seat is not None or scores
    return {
        "event": event,
        "scores": scores,
        "starts_at": begins,
        "now_at": now,
        "countdown": begins is not None and now < begins < now + COUNTDOWN,
        "no_show_at": no_show,
        "may_begin": now >= no_show and (scores or is_present),
        "call_url": event.call_url if takes_part else "",
        "crumbs": [
            (event.name, reverse("event", args=[event.club.slug, event.slug])),
            (table_name(number_of(stage_table)), reverse("table", args=[stage_table.public_id])),
        ],
    }


@seat_only
def present(request: HttpRequest, table: OnlineTable, seat: OnlineSeat) -> HttpResponse:
    """Check in at the table."""
    if table.stage_table_id is None:
        raise Http404
    seat_check_in(table=table, seat=seat, seed=request.POST.get("seed", "").encode())
    return redirect("online-table", table.public_id)


@seat_only
def begin_without(request: HttpRequest, table: OnlineTable, seat: OnlineSeat) -> HttpResponse:
    """Begin without the absent players, as a player who is present."""
    if table.stage_table_id is None or seat.present_at is None:
        raise Http404
    begin_without_absent(table=table)
    return redirect("online-table", table.public_id)


def scorer_only(
    view: Callable[[HttpRequest, OnlineTable], HttpResponse],
) -> Callable[..., HttpResponse]:
    """Decorate an action for the scorers of an event's online table; everybody else gets a 404."""

    @never_cache
    @require_POST
    @page_of(online_table_for)
    def page(request: HttpRequest, table: OnlineTable) -> HttpResponse:
        stage_table = table.stage_table
        if stage_table is None:
            raise Http404
        if not request.user.has_perm("league.score_event", stage_table.stage_round.stage.event):
            raise Http404
        try:
            return view(request, table)
        except Refused as refused:
            return refused_page(request, table, refused)

    return page


@scorer_only
def pause(request: HttpRequest, table: OnlineTable) -> HttpResponse:
    """Pause the game: nobody can act, and no time runs."""
    table_pause(table=table, actor=Actor(signed_in(request).pk))
    return redirect("online-table", table.public_id)


@scorer_only
def resume(request: HttpRequest, table: OnlineTable) -> HttpResponse:
    """Resume the game after a pause."""
    table_resume(table=table, actor=Actor(signed_in(request).pk))
    return redirect("online-table", table.public_id)


@scorer_only
def begin_as_scorer(request: HttpRequest, table: OnlineTable) -> HttpResponse:
    """Begin without the absent players, as a scorer."""
    begin_without_absent(table=table)
    return redirect("online-table", table.public_id)


@scorer_only
def link_for_seat(request: HttpRequest, table: OnlineTable) -> HttpResponse:
    """Show a new link for the seat of a player without an account."""
    number = whole_number(request.POST.get("seat", ""))
    if number is None:
        raise Http404
    seat = table.seats.filter(number=number, user=None).first()
    if seat is None:
        raise Http404
    key = seat_link_renew(table=table, number=seat.number)
    link = public_address(reverse("online-table-seat", args=[table.public_id, key]))
    words = gettext("The seat of %(name)s, not to be shared: %(link)s")
    return table_saying(request, table, words % {"name": seat.name, "link": link})
