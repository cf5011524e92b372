"""The cache: what it holds may be forgotten, so a Redis that is away or hangs is an empty one."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import Any, Concatenate, Final, ParamSpec, TypeVar

import structlog
from django.core.cache import cache
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

log = structlog.get_logger(__name__)

AWAY_SECONDS: Final = 5.0  # after a failure nobody waits for Redis for so long

P = ParamSpec("P")
T = TypeVar("T")


def forgetful(
    method: Callable[Concatenate[Any, P], T], empty: Callable[P, T]
) -> Callable[Concatenate[ForgetfulCache, P], T]:
    """The method; where Redis doesn't answer, what `empty` says of the same arguments."""

    def asked(self: ForgetfulCache, /, *args: P.args, **kwargs: P.kwargs) -> T:
        if monotonic() < ForgetfulCache.away_until:
            return empty(*args, **kwargs)
        try:
            return method(self, *args, **kwargs)
        except RedisError as error:
            ForgetfulCache.away_until = monotonic() + AWAY_SECONDS
            log.warning("cache.away", error=type(error).__name__)
            return empty(*args, **kwargs)

    return asked


class ForgetfulCache(RedisCache):
    """Django's cache in Redis, which forgets everything while Redis is away.

    Limits that are counted in it don't hold then; who tries passwords is stopped by the database's count all the same.
    """

    away_until = 0.0  # of this process

    get = forgetful(RedisCache.get, lambda key, default=None, version=None: default)
    get_many = forgetful(RedisCache.get_many, lambda keys, version=None: {})
    add = forgetful(RedisCache.add, lambda key, value, timeout=None, version=None: True)
    set = forgetful(RedisCache.set, lambda key, value, timeout=None, version=None: None)
    delete = forgetful(RedisCache.delete, lambda key, version=None: False)
    touch = forgetful(RedisCache.touch, lambda key, timeout=None, version=None: False)
    has_key = forgetful(RedisCache.has_key, lambda key, version=None: False)


def redis_answers() -> bool:
    """Whether the cache's Redis answers."""
    cache.get("league.answers")
    return monotonic() >= ForgetfulCache.away_until
