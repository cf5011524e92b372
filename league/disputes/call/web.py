"""Pages of calls: an arbiter rules in four taps (the call, the case, the decision, the
confirmation), and a seat at an online table calls."""

from __future__ import annotations

from typing import Final
from uuid import UUID, uuid4

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from engine.illegal import Refused
from games.services.open_game import Writer
from league.core.frame.saying import redirect_saying
from league.core.viewer.web.crumbs import desk_crumbs
from league.core.viewer.web.viewer import club_page, page_of, signed_in
from league.disputes.call.domain import age_in_words
from league.disputes.call.queries import call_for, game_row, open_call, ruling_fault
from league.disputes.call.services import call_make, call_rule, call_take_back
from league.events.event.desk.page import desk_event_crumbs, desk_url
from league.play.online_table.models import OnlineSeat, OnlineTable
from league.play.online_table.web.seat import seat_only
from league.sheets.sheet.domain.call import CaseInWords, DecisionInWords, cases_in_words
from league.sheets.sheet.models import ClubOpenGame
from league.sheets.sheet.queries.call import table_call

CODE: Final = 16
"""The most characters that the code of a case or of a decision has."""


class RulingForm(forms.Form):
    """A ruling on a call, given by the number of the call's entry."""

    call = forms.IntegerField(min_value=0, max_value=100_000)
    case = forms.CharField(max_length=CODE)
    decision = forms.CharField(max_length=CODE)
    key = forms.UUIDField()


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(call_for)
def ruling_page(request: HttpRequest, row: ClubOpenGame) -> HttpResponse:
    """Rule on the call of a table: choose the case (`?case=`), then the decision (`&decision=`),
    then confirm."""
    user = signed_in(request)
    ruler = Writer(account=(user.pk, user.public_id))
    if request.method == "POST":
        return _rule(request, row, ruler)
    call = open_call(row)
    kind = row.open_game.kind
    cases = cases_in_words(kind, dealt=call is not None and call.is_dealt)
    chosen_code = request.GET.get("case")
    case = next((case for case in cases if case.code == chosen_code), None)
    fault = ruling_fault(row, ruler)
    event = row.table.stage_round.stage.event if row.table else None
    return club_page(
        request,
        row.club,
        "league/disputes/call/ruling.html",
        row=row,
        call=call,
        age=age_in_words(call.called_at, timezone.now()) if call else "",
        cases=cases,
        case=case,
        decision=_decision_in(case, request.GET.get("decision", "")),
        last=table_call(row.open_game.sheet, kind),
        sealed=getattr(row.open_game.sheet, "sealed", None),
        refusal=fault.message.translated(gettext) if fault else "",
        key=uuid4(),
        back=_list_url(row),
        event=event,
        here="events" if event else "calls",
        crumbs=_crumbs(row),
    )


def _rule(request: HttpRequest, row: ClubOpenGame, ruler: Writer) -> HttpResponse:
    own_page = reverse("open-game-call", args=[row.open_game.public_id])
    form = RulingForm(request.POST)
    if not form.is_valid():
        return redirect_saying(
            request, gettext("Choose a case and a decision."), own_page, level=messages.ERROR
        )
    try:
        call_rule(row=row, ruler=ruler, **form.cleaned_data)
    except Refused as refused:
        message = refused.illegal.message.translated(gettext)
        return redirect_saying(request, message, own_page, level=messages.ERROR)
    return redirect_saying(
        request, gettext("Your ruling is on the sheet. The table can see it now."), _list_url(row)
    )


def _decision_in(case: CaseInWords | None, code: str) -> DecisionInWords | None:
    if case is None:
        return None
    return next((decision for decision in case.decisions if decision.code == code), None)


def _list_url(row: ClubOpenGame) -> str:
    if row.table is not None:
        return desk_url(row.table.stage_round.stage.event, "desk-event-calls")
    return reverse("desk-calls", args=[row.club.slug])


def _crumbs(row: ClubOpenGame) -> list[tuple[str, str]]:
    calls = (gettext("Calls for the arbiter"), _list_url(row))
    if row.table is not None:
        return desk_event_crumbs(row.table.stage_round.stage.event, calls)
    return desk_crumbs(row.club, calls)


@seat_only
def online_call(request: HttpRequest, table: OnlineTable, seat: OnlineSeat) -> HttpResponse:
    """Call the arbiter to an online table whose game counts, as one of its seats."""
    call_make(row=_counted_row(table), writer=Writer(seat=seat.number), key=_form_key(request))
    message = gettext("The arbiter has been called. You can play on in the meantime.")
    return redirect_saying(request, message, "online-table", table.public_id)


@seat_only
def online_take_back(request: HttpRequest, table: OnlineTable, seat: OnlineSeat) -> HttpResponse:
    """Take the seat's call back."""
    call_take_back(row=_counted_row(table), writer=Writer(seat=seat.number), key=_form_key(request))
    return redirect("online-table", table.public_id)


def _counted_row(table: OnlineTable) -> ClubOpenGame:
    if not table.is_counted or not table.open_game_id:
        raise Http404
    row = game_row(table.open_game_id)
    if row is None:
        raise Http404
    return row


def _form_key(request: HttpRequest) -> UUID:
    """Return the key of the form: a tap that is sent twice has the same key and counts once."""
    try:
        return UUID(request.POST.get("key", ""))
    except ValueError:
        return uuid4()
