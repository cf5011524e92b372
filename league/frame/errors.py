"""Pages for what goes wrong: what happened, that nothing was lost, what to do now, and the request's id to quote."""

from __future__ import annotations

import structlog
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """400: the request itself is malformed, so the page asks nothing of it."""
    return _plain("400.html", 400)


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    """403: signed in or not, this viewer may not do that."""
    return render(request, "403.html", _quote(), status=403)


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """404: not there, or not for this viewer."""
    return render(request, "404.html", _quote(), status=404)


def server_error(request: HttpRequest) -> HttpResponse:
    """500: without session, account or database, any of which may be what failed."""
    return _plain("500.html", 500)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """403 for a form whose secret is missing or old."""
    return render(request, "403_csrf.html", _quote(), status=403)


def _plain(template: str, status: int) -> HttpResponse:
    return HttpResponse(render_to_string(template, _quote()), status=status)


def _quote() -> dict[str, object]:
    """The id under which the log knows this request."""
    return {"request_id": structlog.contextvars.get_contextvars().get("request_id", "")}
