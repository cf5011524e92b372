"""`/metrics`: what Prometheus is told, in its text format."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from http import HTTPStatus
from threading import Lock
from typing import Final

import structlog
from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from prometheus_client.registry import Collector

from league.site.metrics.domain import register_own_figures
from league.site.metrics.queries import ServiceCollector

log = structlog.get_logger(__name__)

PATH: Final = "/metrics"
WAIT_SECONDS: Final = 2.0
"""How long a scrape waits for the one before it. If that hangs with the database, this one tells
what is known without: so only one thread hangs, however often somebody scrapes."""
_at_once = Lock()


class MetricsMiddleware:
    """Answers scrapes before any other middleware, without sessions and whatever the host name."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        if not settings.METRICS_TOKEN:
            raise MiddlewareNotUsed
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Return the figures at their address, and any other answer elsewhere."""
        if request.path_info != PATH:
            return self.get_response(request)
        if request.method not in ("GET", "HEAD"):
            return HttpResponse(status=HTTPStatus.METHOD_NOT_ALLOWED, headers={"Allow": "GET"})
        if not is_authorized(request.META.get("HTTP_AUTHORIZATION", "")):
            headers = {"WWW-Authenticate": "Bearer"}
            return HttpResponse(status=HTTPStatus.UNAUTHORIZED, headers=headers)
        is_alone = _at_once.acquire(timeout=WAIT_SECONDS)
        try:
            body = figures(ServiceCollector(ask_database=is_alone))
        finally:
            if is_alone:
                _at_once.release()
        headers = {"Cache-Control": "no-store"}
        return HttpResponse(body, content_type=CONTENT_TYPE_PLAIN_0_0_4, headers=headers)


def is_authorized(header: str) -> bool:
    """Return True if a request's Authorization header has the token."""
    scheme, _, token = header.partition(" ")
    is_token = secrets.compare_digest(token.strip().encode(), settings.METRICS_TOKEN.encode())
    return scheme.lower() == "bearer" and is_token


def figures(*collectors: Collector) -> bytes:
    """Return the figures of this host's processes and of other collectors.

    A process that was killed while it wrote can leave a file that nobody can read; the others'
    figures are told all the same."""
    own = CollectorRegistry()
    register_own_figures(own)
    try:
        own_text = generate_latest(own)
    except (RuntimeError, ValueError, OSError) as error:
        log.warning("metrics.unreadable", error=repr(error))
        own_text = b""
    others = CollectorRegistry(auto_describe=False)
    for collector in collectors:
        others.register(collector)
    return own_text + generate_latest(others)
