"""The service's health, for monitoring."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from typing import Final

from django.db import Error
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.deprecation import MiddlewareMixin
from django.views.decorators.http import require_safe

from engine import __version__
from league.core.account.models import User
from league.core.frame.cache import redis_answers
from league.core.waiting_jobs import QueueState, queue_states
from league.up.embedded import var_dir
from league.up.parts import HostState, PartState, hosts, missed, parts

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
    503.

    The answer names the missing parts, of all hosts and of each, with the last report of each part,
    and the jobs that wait."""
    try:
        states = parts()
    except Error:
        return _health_response(
            {"ok": False, "version": __version__, "missed": ["postgres"], "parts": []}
        )

    missing = missed(states)
    queues = queue_states() if redis_answers() else None
    if queues is None:
        missing.append("redis")
    if shutil.disk_usage(var_dir()).free < DISK_LEFT:
        missing.append("disk")
    return _health_response(
        {
            "ok": not missing,
            "version": __version__,
            "missed": missing,
            "hosts": [_host_report(host) for host in hosts(states)],
            "parts": [_part_report(state) for state in states],
            "queues": [_queue_report(queue) for queue in queues or []],
        }
    )


def _host_report(state: HostState) -> dict[str, object]:
    return {"id": state.host.id, "name": state.host.name, "missed": state.missed}


def _part_report(state: PartState) -> dict[str, object]:
    return {
        "name": state.name,
        "host": state.host and state.host.id,
        "seconds": state.seconds and round(state.seconds, 1),
        "late": state.late,
    }


def _queue_report(state: QueueState) -> dict[str, object]:
    oldest = state.oldest_seconds
    return {
        "name": state.name,
        "waiting": state.waiting,
        "oldest_seconds": None if oldest is None else round(oldest, 1),
    }


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
