"""The calendar of an account’s own entries, by a secret address."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_safe

from league.core.frame.letter_link import public_address
from league.core.frame.saying import redirect_saying
from league.core.viewer.web.viewer import or_404, signed_in
from league.events.calendar.queries import calendar_secret, calendar_user, own_events
from league.events.calendar.services import calendar_address_renew
from league.events.calendar.web.calendar import _calendar_response
from league.events.entry.queries.entry import my_entries


@require_safe
def own_calendar(request: HttpRequest, secret: str) -> HttpResponse:
    """Return the calendar of the events in which an account's players have a place, without signing
    in.
    """
    user = or_404(calendar_user, secret)
    response = _calendar_response(
        request, gettext("My events"), reverse("my-calendar"), own_events(user)
    )
    response["Cache-Control"] = "private, no-cache"
    return response


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def my_calendar(request: HttpRequest) -> HttpResponse:
    """Show the account's entries and the secret address of their calendar; a POST makes a new
    address.
    """
    user = signed_in(request)
    if request.method == "POST":
        calendar_address_renew(user=user)
        return redirect_saying(request, gettext("Your calendar has a new address."), "my-calendar")
    address = ""
    secret = calendar_secret(user)
    if secret:
        address = public_address(reverse("own-calendar", args=[secret]))
    context = {"entries": my_entries(user), "address": address}
    return render(request, "league/events/calendar/my_calendar.html", context)
