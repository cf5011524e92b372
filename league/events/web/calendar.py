"""Calendars to subscribe to: of a club, of one event, and of an account's own events by a secret address."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_safe

from league.clubs.queries.access import club_for
from league.clubs.web.viewer import or_404, signed_in, viewer_of
from league.entries.queries.calendar import own_events
from league.entries.queries.entry import my_entries
from league.events.domain.calendar import feed
from league.events.models import Event
from league.events.queries.access import event_for
from league.events.queries.calendar import calendar_secret, calendar_user, club_events, dates_of
from league.events.services.calendar import calendar_address_renew
from league.frame.unchanged import unless_unchanged


@require_safe
def club_calendar(request: HttpRequest, club: str) -> HttpResponse:
    """The dates of a club that everybody may see."""
    found = or_404(club_for, viewer_of(request), club)
    events = club_events(found)
    return _calendar(request, found.name, reverse("events", args=[found.slug]), events)


@require_safe
def event_calendar(request: HttpRequest, club: str, event: str) -> HttpResponse:
    """One event, for who may see it."""
    found = or_404(event_for, viewer_of(request), club, event)
    return _calendar(request, found.name, event_url(found), [found])


@require_safe
def own_calendar(request: HttpRequest, secret: str) -> HttpResponse:
    """The events that an account's players have a place in, by the secret address; nobody has to be signed in."""
    user = or_404(calendar_user, secret)
    answer = _calendar(request, gettext("My events"), reverse("my-calendar"), own_events(user))
    answer["Cache-Control"] = "private, no-cache"
    return answer


def _calendar(request: HttpRequest, name: str, path: str, events: list[Event]) -> HttpResponse:
    """A feed of events; 304 for who has it already."""

    def full(path: str) -> str:
        return request.build_absolute_uri(path)

    dates = dates_of(events, lambda event: full(event_url(event)))

    def answer() -> HttpResponse:
        return HttpResponse(feed(name, full(path), dates), content_type="text/calendar; charset=utf-8")

    return unless_unchanged(request, [name, *dates], answer)


def event_url(event: Event) -> str:
    """Where everybody reads about an event."""
    return reverse("event", args=[event.club.slug, event.slug])


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def my_calendar(request: HttpRequest) -> HttpResponse:
    """The events that the account's players are entered for, and the secret address of their calendar; POST makes a
    new one."""
    user = signed_in(request)
    if request.method == "POST":
        calendar_address_renew(user=user)
        messages.success(request, gettext("Your calendar has a new address."))
        return redirect("my-calendar")
    secret = calendar_secret(user)
    path = reverse("own-calendar", args=[secret]) if secret else ""
    entries = my_entries(user)
    context = {"entries": entries, "address": request.build_absolute_uri(path) if path else ""}
    return render(request, "league/events/my_calendar.html", context)
