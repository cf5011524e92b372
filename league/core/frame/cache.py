"""The service's cache. Nothing depends on it: while Redis doesn't answer it counts as empty, and no
page breaks."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import Any, Final, TypeVar

import structlog
from django.core.cache import cache
from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

from league.core.frame.outages import VALKEY

log = structlog.get_logger(__name__)

AWAY_SECONDS: Final = 5.0
"""After a failure nothing in this process asks Redis for so long."""

T = TypeVar("T")


class Cache(RedisCache):
    """Redis, or an empty cache while Redis is away: then no key is found, and everything can be
    added.

    Limits that are counted in it don't hold then; guessing passwords is still limited by the
    database's count.
    """

    away_until = 0.0

    def add(
        self,
        key: str,
        value: Any,
        timeout: float | None = DEFAULT_TIMEOUT,
        version: int | None = None,
    ) -> bool:
        """Return True if the value was added: while Redis is away, always."""
        return _ask_or_fall_back(lambda: super(Cache, self).add(key, value, timeout, version), True)

    def get(self, key: str, default: Any = None, version: int | None = None) -> Any:
        """Return the value, or the default if there is none or Redis is away."""
        return _ask_or_fall_back(lambda: super(Cache, self).get(key, default, version), default)

    def set(
        self,
        key: str,
        value: Any,
        timeout: float | None = DEFAULT_TIMEOUT,
        version: int | None = None,
    ) -> None:
        """Store the value; while Redis is away, do nothing."""
        _ask_or_fall_back(lambda: super(Cache, self).set(key, value, timeout, version), None)

    def incr(self, key: str, delta: int = 1, version: int | None = None) -> int:
        """Add `delta` to a number and return the sum; while Redis is away, the number counts as 0.
        Raise `ValueError` if the key is missing."""
        return _ask_or_fall_back(lambda: super(Cache, self).incr(key, delta, version), delta)

    def delete(self, key: str, version: int | None = None) -> bool:
        """Return True if the key existed and was deleted; while Redis is away, no key exists."""
        return _ask_or_fall_back(lambda: super(Cache, self).delete(key, version), False)


def redis_answers() -> bool:
    """Return True if the cache's Redis answers."""
    cache.get("league.answers")  # a failure sets `away_until`
    return monotonic() >= Cache.away_until


def _ask_or_fall_back(ask: Callable[[], T], fallback: T) -> T:
    if monotonic() < Cache.away_until:
        return fallback
    try:
        return ask()
    except (RedisError, OSError) as error:
        Cache.away_until = monotonic() + AWAY_SECONDS
        log.warning("cache.silent", outage=VALKEY, error=repr(error), exc_info=error)
        return fallback
