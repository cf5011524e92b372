"""Whether the service is well, for those who watch it."""

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
"""Bytes that have to be free where logs, letters and the embedded servers' data lie: half an hour
of a busy evening."""


class HealthMiddleware(MiddlewareMixin):
    """Answers whoever watches before anything else is asked of the request: a check in the
    container, or a proxy that knows no name of the service, is as welcome as a reader."""

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        """The state, at the two addresses that tell it; None for a request that goes on to
        everything behind."""
        view = VIEWS.get(request.path_info)
        return None if view is None else view(request)


@require_safe
def health(request: HttpRequest) -> JsonResponse:
    """200 if every part of the service was heard of lately and there is room on the disk, else 503;
    what is missed, and who was heard of when."""
    try:
        states = parts()
    except Error:
        return _answer({"ok": False, "missed": ["postgres"], "parts": []})
    without = missed(states) + ([] if redis_answers() else ["redis"])
    if shutil.disk_usage(var_dir()).free < DISK_LEFT:
        without.append("disk")
    heard = [
        {
            "name": state.name,
            "seconds": state.seconds and round(state.seconds, 1),
            "late": state.late,
        }
        for state in states
    ]
    return _answer({"ok": not without, "missed": without, "parts": heard})


@require_safe
def web_health(request: HttpRequest) -> JsonResponse:
    """200 as soon as this process answers and reaches its database, else 503."""
    try:
        User.objects.exists()
    except Error:
        return _answer({"ok": False})
    return _answer({"ok": True})


def _answer(state: dict[str, object]) -> JsonResponse:
    return JsonResponse(
        state, status=200 if state["ok"] else 503, headers={"Cache-Control": "no-store"}
    )


VIEWS: Final[dict[str, Callable[[HttpRequest], HttpResponse]]] = {
    "/health/": health,
    "/health/web/": web_health,
}
