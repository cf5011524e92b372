"""The entries of an event for its organisers: who has a place, who waits, and entering somebody by
name."""

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
from league.events.event.desk.page import desk_event_crumbs, desk_url, event_desk_page
from league.events.event.models import Event
from league.events.event.queries.access import event_for_organiser

PER_PAGE: Final = 100
FOUND: Final = 12
"""So many players are offered for a name that was looked for."""


class AddForm(forms.Form):
    """Whom to enter: a player of the club by public id or handle, or somebody new by name."""

    player = forms.CharField(max_length=64, required=False, widget=forms.HiddenInput)
    name = forms.CharField(max_length=64, required=False, widget=forms.HiddenInput)
    guest = forms.BooleanField(
        label=gettext_lazy("As a guest: counts for nothing in the season"), required=False
    )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(event_for_organiser)
def entries_page(request: HttpRequest, event: Event) -> HttpResponse:
    """The entries of an event: `?status=` shows those of one status, `?who=` looks for whom to
    enter."""
    form = AddForm(posted(request))
    if request.method == "POST" and form.is_valid():
        if done(request, form, lambda cleaned, actor: _add(request, event, cleaned, actor)):
            return redirect(desk_url(event, "desk-entries"))
        for errors in form.errors.values():
            messages.error(request, " ".join(str(error) for error in errors))
    status = request.GET.get("status", "")
    status = status if status in Entry.Status.values else ""
    search, who = request.GET.get("q", "").strip(), request.GET.get("who", "").strip()[:64]
    counts = status_counts(event)
    address = desk_url(event, "desk-entries")
    return event_desk_page(
        request,
        event,
        "league/events/entry/desk/entries.html",
        crumbs=desk_event_crumbs(event, deeper=True),
        form=form,
        counts=counts,
        places=places(event),
        status=status,
        tabs=[
            (" ".join([gettext("All"), str(sum(counts.values()))]), address),
            *[
                (f"{label} {counts[value]}", f"{address}?status={value}")
                for value, label in Entry.Status.choices
            ],
        ],
        current=f"{address}?status={status}" if status else address,
        page=Paginator(listed_entries(event, status, search), PER_PAGE).get_page(
            request.GET.get("page")
        ),
        q=search,
        who=who,
        offered=_offered(event, who),
        asked=asked_by_mail(event).count(),
    )


def _offered(event: Event, who: str) -> list[tuple[Player, Entry | None]]:
    """The players of the club whose name or handle is like that, each with the entry that
    stands."""
    if not who:
        return []
    players = list(listed_players(event.club, who).filter(erased_at=None)[:FOUND])
    entries = {
        entry.player_id: entry for entry in Entry.objects.filter(event=event, player__in=players)
    }
    return [(player, entries.get(player.pk)) for player in players]


def _add(request: HttpRequest, event: Event, cleaned: dict[str, Any], actor: Actor) -> None:
    """Enter a player of the club, or somebody new, and say what came of it."""
    guest = cleaned["guest"]
    if cleaned["player"]:
        try:
            player = player_named(event.club_id, cleaned["player"])
        except Player.DoesNotExist:
            raise forms.ValidationError(gettext("Nobody in the club is called that.")) from None
        entry = entry_add(
            event=event,
            player=player.merged_into or player,
            actor=actor,
            guest=guest,
            by_organiser=True,
        )
    else:
        entry = guest_enter(event=event, name=cleaned["name"], guest=guest, actor=actor)
    words_for = {"name": entry.player.name}
    if entry.status == Entry.Status.WAITING:
        words = gettext("All places are taken: %(name)s is number %(number)d on the waiting list.")
        messages.info(request, words % {**words_for, "number": waiting_place(entry)})
    else:
        messages.success(request, gettext("%(name)s has a place.") % words_for)


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
"""The columns of the file, with the words for people."""


@login_required
@require_safe
@page_of(event_for_organiser)
def entries_csv(request: HttpRequest, event: Event) -> HttpResponse:
    """All entries as CSV in UTF-8, as they can be uploaded for another event; `?lang=de` as for
    German spreadsheets."""
    name = f"{event.club.slug}-{event.slug}-entries"
    return csv_file(request, name, COLUMNS, map(_cells, listed_entries(event)))


def _cells(entry: Entry) -> list[object]:
    checked_in_at = entry.checked_in_at.isoformat(timespec="seconds") if entry.checked_in_at else ""
    stands_in = cell_of(entry.substitutes.handle) if entry.substitutes else ""
    names = [cell_of(entry.player.handle), cell_of(entry.player.name)]
    counts = ["yes" if entry.guest else "", stands_in, cell_of(entry.label)]
    return [entry.number, entry.status, *names, *counts, checked_in_at]


@login_required
@require_safe
@page_of(event_for_organiser)
def entries_print(request: HttpRequest, event: Event) -> HttpResponse:
    """A list for paper with a code for each entry, which the organiser's phone checks in."""
    page = Paginator(
        listed_entries(event, Entry.Status.ENTERED).order_by("player__name_key", "pk"), PER_PAGE
    ).get_page(request.GET.get("page"))
    return event_desk_page(
        request,
        event,
        "league/events/entry/desk/entries_print.html",
        crumbs=desk_event_crumbs(event, (gettext("Entries"), desk_url(event, "desk-entries"))),
        page=page,
        entries=[
            (entry, public_address(reverse("entry", args=[entry.public_id]))) for entry in page
        ],
    )
