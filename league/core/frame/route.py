"""The names of routes: they tell which page was asked for, and have no keys and no ids."""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.http import HttpRequest

ROUTE: Final = "route"
"""The request attribute with the route of a page that was answered without resolving its
address."""
OTHER: Final = "other"
STATIC: Final = "static"


def route_of(request: HttpRequest) -> str:
    """Return the name of an answered request's route, or `api:` with the name of its operation.

    It is `static` for static files, and `other` for an address that leads nowhere."""
    route = getattr(request, ROUTE, "")
    if route:
        return str(route)
    match = request.resolver_match
    if match is None:
        return STATIC if request.path_info.startswith(settings.STATIC_URL) else OTHER
    if match.url_name:
        return match.view_name
    method = "get" if request.method == "HEAD" else str(request.method).lower()
    operation = getattr(match.func, "actions", {}).get(method)
    return f"api:{operation}" if operation else OTHER
