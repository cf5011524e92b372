"""The page of an account's tables: the next one in large print, the day's others, coming entries."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from league.core.frame.letter_link import public_address
from league.core.viewer.web.viewer import signed_in
from league.floor.my_tables.queries import coming_entries, my_day


@never_cache
@login_required
@require_safe
def my_tables(request: HttpRequest) -> HttpResponse:
    """Show the tables of the account's players in all clubs. An open page loads itself again from
    time to time."""
    user = signed_in(request)
    context = {
        "day": my_day(user),
        "entries": [
            (entry, public_address(reverse("entry", args=[entry.public_id])))
            for entry in coming_entries(user)
        ],
    }
    return render(request, "league/floor/my_tables/my_tables.html", context)
