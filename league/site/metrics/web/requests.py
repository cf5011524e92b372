"""What is noted of each request: the counters of its route, and a line in the log."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cache
from typing import TypeAlias

import structlog
from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from prometheus_client import Counter, Histogram

from league.core.frame.route import route_of
from league.site.metrics.domain import REQUEST_SECONDS, REQUESTS

log = structlog.get_logger("league.access")

GetResponse: TypeAlias = Callable[[HttpRequest], HttpResponseBase]


class RequestsMiddleware:
    """Counts requests if METRICS_TOKEN is set, and logs them if ACCESS_LOG is.

    Both name the route, never the address, which can have keys and ids. Checks of health and
    scrapes are answered before."""

    def __init__(self, get_response: GetResponse) -> None:
        if not (settings.METRICS_TOKEN or settings.ACCESS_LOG):
            raise MiddlewareNotUsed
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Return the answer, and note what it took."""
        began = time.perf_counter()
        response = self.get_response(request)
        seconds = time.perf_counter() - began
        route = route_of(request)
        if settings.METRICS_TOKEN:
            requests_of(route, response.status_code // 100).inc()
            seconds_of(route).observe(seconds)
        if settings.ACCESS_LOG:
            log.info(
                "request",
                method=request.method,
                route=route,
                status=response.status_code,
                ms=round(seconds * 1000, 1),
                bytes=None if response.streaming else len(getattr(response, "content", b"")),
            )
        return response


@cache
def requests_of(route: str, status_class: int) -> Counter:
    """Return the counter of a route and a class of statuses. It is cached, since `labels` takes
    longer than counting."""
    return REQUESTS.labels(route, f"{status_class}xx")


@cache
def seconds_of(route: str) -> Histogram:
    """Return the histogram of a route."""
    return REQUEST_SECONDS.labels(route)
