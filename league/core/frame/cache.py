"""The cache of the service. Nothing in it is needed: one that doesn't answer is an empty one, and
breaks no page."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import Any, Final, TypeVar

import structlog
from django.core.cache import cache
from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

log = structlog.get_logger(__name__)

AWAY_SECONDS: Final = 5.0  # after a failure nobody in this process waits for Redis for so long

T = TypeVar("T")


class Cache(RedisCache):
    """Redis, or nothing while it is away: then nothing is found, and everything can be added.

    Limits that are counted in it don't hold then; who tries passwords is stopped by the database's
    count all the same."""

    away_until = 0.0

    def add(
        self,
        key: str,
        value: Any,
        timeout: float | None = DEFAULT_TIMEOUT,
        version: int | None = None,
    ) -> bool:
        """True if the value was added; while Redis is away it counts as added."""
        return _or_silent(lambda: super(Cache, self).add(key, value, timeout, version), True)

    def get(self, key: str, default: Any = None, version: int | None = None) -> Any:
        """The value, or the default."""
        return _or_silent(lambda: super(Cache, self).get(key, default, version), default)

    def set(
        self,
        key: str,
        value: Any,
        timeout: float | None = DEFAULT_TIMEOUT,
        version: int | None = None,
    ) -> None:
        """Keep the value, if Redis is there."""
        _or_silent(lambda: super(Cache, self).set(key, value, timeout, version), None)

    def incr(self, key: str, delta: int = 1, version: int | None = None) -> int:
        """The number after it was raised; while Redis is away there was none before. ValueError if
        there is no such."""
        return _or_silent(lambda: super(Cache, self).incr(key, delta, version), delta)

    def delete(self, key: str, version: int | None = None) -> bool:
        """True if there was such a key; while Redis is away there was none."""
        return _or_silent(lambda: super(Cache, self).delete(key, version), False)


def redis_answers() -> bool:
    """True if the cache's Redis answers."""
    cache.get("league.answers")
    return monotonic() >= Cache.away_until


def _or_silent(ask: Callable[[], T], otherwise: T) -> T:
    """Return what Redis answers, or that while it is away."""
    if monotonic() < Cache.away_until:
        return otherwise
    try:
        return ask()
    except (RedisError, OSError) as error:
        Cache.away_until = monotonic() + AWAY_SECONDS
        log.warning("cache.silent", error=repr(error))
        return otherwise
