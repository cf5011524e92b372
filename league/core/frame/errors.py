"""Pages for what goes wrong: what happened, that nothing was lost, what to do now, and the
request's id to quote."""

from __future__ import annotations

import sys
import uuid
from collections.abc import Callable, Iterable, Mapping
from datetime import timedelta
from typing import Final

import structlog
from django.conf import settings
from django.db import DataError, InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.deprecation import MiddlewareMixin

from games.domain.game import NotAsSealed

log = structlog.get_logger(__name__)

DATABASE_AWAY: Final = (OperationalError, InterfaceError)
AWAY_SECONDS: Final = 10
"""After so many seconds it is worth to ask again: a database that was started anew is there by
then."""


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """400: the request itself is malformed, so the page asks nothing of it."""
    return _plain("400.html", 400)


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    """403: signed in or not, this viewer may not do that."""
    return render(request, "403.html", _quote(), status=403)


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """404: not there, or not for this viewer."""
    return render(request, "404.html", _quote(), status=404)


class ErrorMiddleware(MiddlewareMixin):
    """Answers errors that mean something to the reader.

    409 where a page would show a game that isn't stored as it was sealed; the log is told, too. 400
    where PostgreSQL was asked for the character NUL, which it stores in no text; forms say so at
    the field."""

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """The page that says so, None for any other error."""
        if isinstance(error, NotAsSealed):
            log.error("game.not_as_sealed", game=str(error))
            return render(request, "409.html", _quote(), status=409)
        asked_for_nul = isinstance(error, DataError | ValueError) and any(
            "\0" in text for text in _texts(request)
        )
        return bad_request(request, error) if asked_for_nul else None


def _texts(request: HttpRequest) -> Iterable[str]:
    """Return what somebody wrote: the address, and names and values of its query and of a form."""
    yield request.path
    for fields in (request.GET, request.POST):
        for name, values in fields.lists():
            yield from (name, *values)


def too_many_requests(request: HttpRequest, seconds: int = 60) -> HttpResponse:
    """429: this viewer asked too often, and may again in so many seconds."""
    response = render(request, "429.html", _quote() | {"seconds": seconds}, status=429)
    response["Retry-After"] = str(seconds)
    return response


def locked(request: HttpRequest, credentials: Mapping[str, str] | None = None) -> HttpResponse:
    """429 after too many wrong passwords for one account from one address."""
    wait = timedelta(hours=settings.AXES_COOLOFF_TIME)
    context = {"failure_limit": settings.AXES_FAILURE_LIMIT, "cooloff_timedelta": wait}
    response = render(request, "account/locked.html", context, status=429)
    response["Retry-After"] = str(int(wait.total_seconds()))
    return response


def server_error(request: HttpRequest) -> HttpResponse:
    """500: without session, account or database, any of which may be what failed. 503 where the
    database is away, too busy or out of room."""
    if isinstance(sys.exc_info()[1], DATABASE_AWAY):
        return _plain("503.html", 503, {"Retry-After": str(AWAY_SECONDS)})
    return _plain("500.html", 500)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """403 for a form whose secret is missing or old."""
    return render(request, "403_csrf.html", _quote(), status=403)


def _plain(template: str, status: int, headers: Mapping[str, str] | None = None) -> HttpResponse:
    return HttpResponse(render_to_string(template, _quote()), status=status, headers=headers)


def _quote() -> dict[str, object]:
    """The id under which the log knows this request."""
    return {"request_id": structlog.contextvars.get_contextvars().get("request_id", "")}


class RequestIdMiddleware:
    """Binds `request_id` for the time of a request and sends it back as `X-Request-Id`."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request_id = uuid.uuid4().hex
        with structlog.contextvars.bound_contextvars(request_id=request_id):
            response = self.get_response(request)
        response["X-Request-Id"] = request_id
        return response
