"""The service's health, for monitoring."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from typing import Final

from django.db import Error
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.deprecation import MiddlewareMixin
from django.views.decorators.http import require_safe

from league.core.account.models import User
from league.core.frame.cache import redis_answers
from league.up.embedded import var_dir
from league.up.parts import missed, parts

DISK_LEFT: Final = 64 * 1024 * 1024
"""Bytes that have to be free on the disk of logs, emails and the embedded servers' data: half an
hour of a busy evening."""


class HealthMiddleware(MiddlewareMixin):
    """Answers health checks before any other middleware, so that a check within the container, or
    by a proxy without the service's host name, gets an answer."""

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        """Return the health at its two addresses, or None for any other request."""
        view = VIEWS.get(request.path_info)
        if view is None:
            return None
        return view(request)


@require_safe
def health(request: HttpRequest) -> JsonResponse:
    """Answer 200 if every part of the service has reported lately and the disk has room, otherwise
    503; the answer names the missing parts and has each part's last report."""
    try:
        states = parts()
    except Error:
        return _health_response({"ok": False, "missed": ["postgres"], "parts": []})

    missing = missed(states)
    if not redis_answers():
        missing.append("redis")
    if shutil.disk_usage(var_dir()).free < DISK_LEFT:
        missing.append("disk")
    reports = [
        {
            "name": state.name,
            "seconds": state.seconds and round(state.seconds, 1),
            "late": state.late,
        }
        for state in states
    ]
    return _health_response({"ok": not missing, "missed": missing, "parts": reports})


@require_safe
def web_health(request: HttpRequest) -> JsonResponse:
    """Answer 200 if this process reaches its database, otherwise 503."""
    try:
        User.objects.exists()
    except Error:
        return _health_response({"ok": False})
    return _health_response({"ok": True})


def _health_response(health_state: dict[str, object]) -> JsonResponse:
    return JsonResponse(
        health_state,
        status=200 if health_state["ok"] else 503,
        headers={"Cache-Control": "no-store"},
    )


VIEWS: Final[dict[str, Callable[[HttpRequest], HttpResponse]]] = {
    "/health/": health,
    "/health/web/": web_health,
}
