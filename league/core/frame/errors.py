"""Error pages: what happened, that nothing was lost, what to do now, and the request's id to
quote."""

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
"""The seconds to wait before asking again: a restarted database is back by then."""


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return the 400 page for a malformed request, which uses nothing of the request."""
    return _page_without_request("400.html", 400)


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return the 403 page, for a viewer without the right to do this."""
    return render(request, "403.html", _request_id_context(), status=403)


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return the 404 page, for something that doesn't exist or that the viewer may not see."""
    return render(request, "404.html", _request_id_context(), status=404)


class ErrorMiddleware(MiddlewareMixin):
    """Answers exceptions that mean something to the reader.

    409 if a page would show a game that isn't stored as it was sealed; that is logged, too. 400 if
    PostgreSQL got the character NUL, which it can't store; forms say so at the field."""

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Return the page for such an exception; None for any other, which Django handles."""
        if isinstance(error, NotAsSealed):
            log.error("game.not_as_sealed", game=str(error))
            return render(request, "409.html", _request_id_context(), status=409)
        could_be_nul = isinstance(error, DataError | ValueError)
        if could_be_nul and any("\0" in text for text in _texts_sent(request)):
            return bad_request(request, error)
        return None


def _texts_sent(request: HttpRequest) -> Iterable[str]:
    yield request.path
    for fields in (request.GET, request.POST):
        for name, values in fields.lists():
            yield name
            yield from values


def too_many_requests(request: HttpRequest, seconds: int = 60) -> HttpResponse:
    """Return the 429 page, for a viewer who asked too often and may ask again after `seconds`."""
    response = render(
        request, "429.html", {**_request_id_context(), "seconds": seconds}, status=429
    )
    response["Retry-After"] = str(seconds)
    return response


def locked(request: HttpRequest, credentials: Mapping[str, str] | None = None) -> HttpResponse:
    """Return the 429 page after too many wrong passwords for one account from one address.
    `credentials` isn't used: django-axes passes it."""
    wait = timedelta(hours=settings.AXES_COOLOFF_TIME)
    context = {"failure_limit": settings.AXES_FAILURE_LIMIT, "cooloff_timedelta": wait}
    response = render(request, "account/locked.html", context, status=429)
    response["Retry-After"] = str(int(wait.total_seconds()))
    return response


def server_error(request: HttpRequest) -> HttpResponse:
    """Return the 500 page, or the 503 page if the database is away, too busy or full. It uses no
    session, account or database, since any of them may have failed."""
    if isinstance(sys.exc_info()[1], DATABASE_AWAY):
        return _page_without_request("503.html", 503, {"Retry-After": str(AWAY_SECONDS)})
    return _page_without_request("500.html", 500)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Return the 403 page for a form whose CSRF token is missing or old. `reason` isn't used:
    Django passes it."""
    return render(request, "403_csrf.html", _request_id_context(), status=403)


def _page_without_request(
    template: str, status: int, headers: Mapping[str, str] | None = None
) -> HttpResponse:
    return HttpResponse(
        render_to_string(template, _request_id_context()), status=status, headers=headers
    )


def _request_id_context() -> dict[str, object]:
    return {"request_id": structlog.contextvars.get_contextvars().get("request_id", "")}


class RequestIdMiddleware:
    """Binds `request_id` in the log for the time of a request, and sends it back as
    `X-Request-Id`."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request_id = uuid.uuid4().hex
        with structlog.contextvars.bound_contextvars(request_id=request_id):
            response = self.get_response(request)
        response["X-Request-Id"] = request_id
        return response
