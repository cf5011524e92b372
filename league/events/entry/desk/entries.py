"""The entries of an event for its organisers, and entering a player by name."""

from __future__ import annotations

from typing import Any, Final

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from engine.cells import cell_of
from league.core.frame.csv_file import csv_file
from league.core.frame.letter_link import public_address
from league.core.log.services import Actor
from league.core.player.models import Player
from league.core.player.queries.player import listed_players, player_named
from league.core.viewer.web.confirmation import done, posted
from league.core.viewer.web.viewer import page_of
from league.events.entry.models import Entry
from league.events.entry.queries.access import asked_by_mail
from league.events.entry.queries.entry import listed_entries, places, status_counts, waiting_place
from league.events.entry.services.entry import entry_add
from league.events.entry.services.entry_list import guest_enter
from league.events.event.desk.page import (
    desk_entries_crumbs,
    desk_event_crumbs,
    desk_url,
    event_desk_page,
)
from league.events.event.models import Event
from league.events.event.queries.access import event_for_organiser

PER_PAGE: Final = 100
MOST_OFFERED: Final = 12
"""The most players offered for a search."""


class AddForm(forms.Form):
    """The player to enter: a player of the club by public id or handle, or a new player by name."""

    player = forms.CharField(max_length=64, required=False, widget=forms.HiddenInput)
    name = forms.CharField(max_length=64, required=False, widget=forms.HiddenInput)
    guest = forms.BooleanField(
        label=gettext_lazy("As a guest: doesn’t count in the season"), required=False
    )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(event_for_organiser)
def entries_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the entries of an event, those of one status with `?status=`; `?who=` searches for
    players to enter.
    """
    form = AddForm(posted(request))
    if request.method == "POST" and form.is_valid():
        if done(
            request, form, lambda cleaned, actor: _enter_player(request, event, cleaned, actor)
        ):
            return redirect(desk_url(event, "desk-entries"))
        for errors in form.errors.values():
            messages.error(request, " ".join(str(error) for error in errors))

    status = request.GET.get("status", "")
    if status not in Entry.Status.values:
        status = ""
    search = request.GET.get("q", "").strip()
    who = request.GET.get("who", "").strip()[:64]
    counts = status_counts(event)
    address = desk_url(event, "desk-entries")
    entries = Paginator(listed_entries(event, status, search), PER_PAGE)
    return event_desk_page(
        request,
        event,
        "league/events/entry/desk/entries.html",
        crumbs=desk_event_crumbs(event, deeper=True),
        form=form,
        counts=counts,
        places=places(event),
        status=status,
        tabs=_tabs(address, counts),
        current=f"{address}?status={status}" if status else address,
        page=entries.get_page(request.GET.get("page")),
        q=search,
        who=who,
        offered=_offered_players(event, who),
        asked=asked_by_mail(event).count(),
    )


def _tabs(address: str, counts: dict[str, int]) -> list[tuple[str, str]]:
    total = sum(counts.values())
    tabs = [(" ".join([gettext("All"), str(total)]), address)]
    for value, label in Entry.Status.choices:
        tabs.append((f"{label} {counts[value]}", f"{address}?status={value}"))
    return tabs


def _offered_players(event: Event, who: str) -> list[tuple[Player, Entry | None]]:
    if not who:
        return []
    players = list(listed_players(event.club, who).filter(erased_at=None)[:MOST_OFFERED])
    entries = Entry.objects.filter(event=event, player__in=players)
    by_player = {entry.player_id: entry for entry in entries}
    return [(player, by_player.get(player.pk)) for player in players]


def _enter_player(
    request: HttpRequest, event: Event, cleaned: dict[str, Any], actor: Actor
) -> None:
    guest = cleaned["guest"]
    if cleaned["player"]:
        try:
            player = player_named(event.club_id, cleaned["player"])
        except Player.DoesNotExist:
            raise forms.ValidationError(gettext("No player in the club has that name.")) from None
        entry = entry_add(
            event=event,
            player=player.merged_into or player,
            actor=actor,
            guest=guest,
            by_organiser=True,
        )
    else:
        entry = guest_enter(event=event, name=cleaned["name"], guest=guest, actor=actor)

    name = entry.player.name
    if entry.status == Entry.Status.WAITING:
        words = gettext("All places are taken: %(name)s is number %(number)d on the waiting list.")
        messages.info(request, words % {"name": name, "number": waiting_place(entry)})
    else:
        messages.success(request, gettext("%(name)s has a place.") % {"name": name})


COLUMNS: Final = {
    "number": gettext_lazy("Number"),
    "status": gettext_lazy("Status"),
    "handle": gettext_lazy("Handle"),
    "name": gettext_lazy("Name"),
    "guest": gettext_lazy("Guest"),
    "substitutes": gettext_lazy("Plays for"),
    "label": gettext_lazy("Club or town"),
    "checked_in": gettext_lazy("Checked in"),
}
"""The columns of the file, with their labels."""


@login_required
@require_safe
@page_of(event_for_organiser)
def entries_csv(request: HttpRequest, event: Event) -> HttpResponse:
    """Download all entries as CSV in UTF-8, which can be uploaded for another event; `?lang=de` for
    German spreadsheets.
    """
    name = f"{event.club.slug}-{event.slug}-entries"
    rows = (_cells(entry) for entry in listed_entries(event))
    return csv_file(request, name, COLUMNS, rows)


def _cells(entry: Entry) -> list[object]:
    player = entry.player
    substituted = entry.substitutes
    checked_in_at = entry.checked_in_at
    return [
        entry.number,
        entry.status,
        cell_of(player.handle),
        cell_of(player.name),
        "yes" if entry.guest else "",
        cell_of(substituted.handle) if substituted else "",
        cell_of(entry.label),
        checked_in_at.isoformat(timespec="seconds") if checked_in_at else "",
    ]


@login_required
@require_safe
@page_of(event_for_organiser)
def entries_print(request: HttpRequest, event: Event) -> HttpResponse:
    """Show a list for printing, with a code for each entry that an organiser's phone can check
    in.
    """
    entries = listed_entries(event, Entry.Status.ENTERED).order_by("player__name_key", "pk")
    page = Paginator(entries, PER_PAGE).get_page(request.GET.get("page"))
    with_codes = [
        (entry, public_address(reverse("entry", args=[entry.public_id]))) for entry in page
    ]
    return event_desk_page(
        request,
        event,
        "league/events/entry/desk/entries_print.html",
        crumbs=desk_entries_crumbs(event),
        page=page,
        entries=with_codes,
    )
