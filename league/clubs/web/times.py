"""Times of the administration: those of the operator's own club."""

from __future__ import annotations

from collections.abc import Callable
from zoneinfo import ZoneInfo

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone

from league.clubs.queries.member import home_zone


def administration_times(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: below `/admin/` all times are shown, and read, in the zone of a club that the operator belongs to."""

    def answer(request: HttpRequest) -> HttpResponse:
        if not request.path.startswith(reverse("admin:index")):
            return get_response(request)
        zone = home_zone(request.user)
        with timezone.override(ZoneInfo(zone) if zone else None):
            return get_response(request)

    return answer
