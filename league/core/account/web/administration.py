"""Pages below `/admin/`: times in the zone of the operator's club, and their content security
policy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final
from zoneinfo import ZoneInfo

from csp.constants import UNSAFE_EVAL, UNSAFE_INLINE
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone

from league.core.member.queries import home_zone

ALLOWED: Final = {"script-src": [UNSAFE_EVAL], "style-src": [UNSAFE_INLINE]}
"""What unfold needs beyond our own pages: Alpine.js evaluates the expressions in its attributes,
and sets styles. Scripts of other hosts and inline scripts stay forbidden."""


def administration(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: below `/admin/`, show and read times in the zone of a club that the operator
    belongs to, and allow what unfold needs."""

    def respond(request: HttpRequest) -> HttpResponse:
        if not request.path.startswith(reverse("admin:index")):
            return get_response(request)
        zone = home_zone(request.user)
        with timezone.override(ZoneInfo(zone) if zone else None):
            response = get_response(request)
        response._csp_update = ALLOWED  # type: ignore[attr-defined]
        return response

    return respond
