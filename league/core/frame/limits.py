"""Rate limits, counted in the cache by windows of time. The limits themselves are settings.

While the cache is away they don't hold."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from time import time
from typing import Any, NamedTuple

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.utils.deprecation import MiddlewareMixin

from league.core.frame.client_address import client_network
from league.core.frame.errors import too_many_requests


class Usage(NamedTuple):
    """The use of a limit: `most` requests in a window of `seconds`, which ends in `ends`
    seconds."""

    limit: str
    most: int
    seconds: int
    used: int
    ends: int

    @property
    def exceeded(self) -> bool:
        """Return True if this request is one too many."""
        return self.used > self.most

    @property
    def full(self) -> bool:
        """Return True if the next request is one too many."""
        return self.used >= self.most

    def headers(self) -> dict[str, str]:
        """Return the limit and what is left of it, as in the IETF's draft RateLimit header fields
        for HTTP."""
        remaining = max(self.most - self.used, 0)
        headers = {
            "RateLimit-Policy": f'"{self.limit}";q={self.most};w={self.seconds}',
            "RateLimit": f'"{self.limit}";r={remaining};t={self.ends}',
        }
        if self.exceeded:
            headers["Retry-After"] = str(self.ends)
        return headers


def limit_use(limit: str, requester: str) -> Usage | None:
    """Count a request of a requester (any key) against a limit, and return the usage; None if there
    is no such limit."""
    return _usage(limit, requester, _count_request)


def limit_state(limit: str, requester: str) -> Usage | None:
    """Return a requester's usage of a limit without counting; None if there is no such limit."""
    return _usage(limit, requester, lambda key, seconds: cache.get(key, 0))


def _usage(limit: str, requester: str, read_count: Callable[[str, int], int]) -> Usage | None:
    if limit not in settings.RATE_LIMITS:
        return None
    most, seconds = settings.RATE_LIMITS[limit]
    window, elapsed = divmod(int(time()), seconds)
    key = f"limit:{limit}:{sha256(requester.encode()).hexdigest()[:32]}:{window}"
    return Usage(limit, most, seconds, used=read_count(key, seconds), ends=seconds - elapsed)


def _count_request(key: str, seconds: int) -> int:
    if cache.add(key, 1, seconds):
        return 1
    try:
        return cache.incr(key)
    except ValueError:  # it expired just now
        return 1


def requester_key(request: HttpRequest) -> str:
    """Return the key under which a request is counted: its account, or without one its network
    address."""
    account = request.user.pk
    if account:
        return f"account {account}"
    return f"address {client_network(request)}"


class LimitMiddleware(MiddlewareMixin):
    """Answers 429 to requests beyond the limit of a page in LIMITED_PAGES."""

    def process_view(
        self, request: HttpRequest, view: Callable[..., HttpResponse], args: Any, kwargs: Any
    ) -> HttpResponse | None:
        """Return the refusal, or None if the request may go on."""
        method = "GET" if request.method == "HEAD" else request.method
        name = request.resolver_match.view_name if request.resolver_match else ""
        limit = settings.LIMITED_PAGES.get(f"{method} {name}")
        if limit is None:
            return None
        usage = limit_use(limit, requester_key(request))
        if usage is None or not usage.exceeded:
            return None
        return too_many_requests(request, usage.ends)
