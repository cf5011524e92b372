"""The fees of an event for its organisers: the totals, who has paid, and a file for the
treasurer.
"""

from __future__ import annotations

from typing import Final

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from engine.cells import cell_of
from league.core.frame.csv_file import csv_file
from league.core.viewer.web.confirmation import run_button_action
from league.core.viewer.web.viewer import or_404, page_of
from league.events.entry.models import Entry, FeeStatus
from league.events.entry.queries.access import entry_of
from league.events.event.desk.page import desk_entries_crumbs, desk_url, event_desk_page
from league.events.event.models import Event
from league.events.event.queries.access import event_for_organiser
from league.events.fee.queries import FeeNote, fee_entries, fee_notes, fee_totals
from league.events.fee.services import fees_set

PER_PAGE: Final = 200


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(event_for_organiser)
def fees_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the totals and who has paid; a POST sets one fee to `paid`, `free` or `open` (`do`)."""
    if request.method == "POST":
        entry = or_404(entry_of, event, request.POST.get("entry", ""))
        if request.POST.get("do") not in FeeStatus.values:
            raise Http404
        fee = FeeStatus(request.POST["do"])
        run_button_action(
            request, lambda actor: fees_set(event=event, entries=[entry], fee=fee, actor=actor)
        )
        if request.POST.get("back") == "entry":
            return redirect("desk-entry", event.club.slug, event.slug, entry.public_id)
        return redirect(f"{desk_url(event, 'desk-fees')}#e-{entry.public_id}")
    return event_desk_page(
        request,
        event,
        "league/events/fee/desk/fees.html",
        crumbs=desk_entries_crumbs(event),
        totals=fee_totals(event),
        page=Paginator(fee_entries(event), PER_PAGE).get_page(request.GET.get("page")),
    )


COLUMNS: Final = {
    "number": gettext_lazy("Number"),
    "handle": gettext_lazy("Handle"),
    "name": gettext_lazy("Name"),
    "status": gettext_lazy("Status"),
    "fee": gettext_lazy("Fee"),
    "amount": gettext_lazy("Amount"),
    "currency": gettext_lazy("Currency"),
    "noted_at": gettext_lazy("Noted at"),
    "noted_by": gettext_lazy("Noted by"),
}
"""The columns of the file, with their labels."""


@login_required
@require_safe
@page_of(event_for_organiser)
def fees_csv(request: HttpRequest, event: Event) -> HttpResponse:
    """Download the fees of an event as CSV in UTF-8: who has paid how much, and who noted it
    when.
    """
    entries = list(fee_entries(event))
    notes = fee_notes(event, [entry.public_id for entry in entries])
    rows = [_cells(entry, event.club.currency, notes.get(entry.public_id)) for entry in entries]
    return csv_file(
        request,
        f"{event.club.slug}-{event.slug}-fees",
        COLUMNS,
        rows,
        decimals=["amount"],
        headers={"Cache-Control": "private, no-store"},
    )


def _cells(entry: Entry, currency: str, note: FeeNote | None) -> list[object]:
    amount = ""
    if entry.payment is not None:
        amount = f"{entry.payment // 100}.{entry.payment % 100:02}"
    return [
        entry.number,
        cell_of(entry.player.handle),
        cell_of(entry.player.name),
        entry.status,
        entry.fee,
        amount,
        currency,
        note.at.isoformat(timespec="seconds") if note else "",
        cell_of(note.by) if note else "",
    ]
