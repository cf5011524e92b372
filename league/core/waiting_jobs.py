"""The jobs that wait in the queues, as the broker has them."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from typing import Final

from django.conf import settings
from redis import Redis
from redis.exceptions import RedisError

from league.celery_app import QUEUED_AT
from league.queues import QUEUES, ROUTES

PRIORITY_SEPARATOR: Final = "\x06\x16"
"""What stands between a queue and its priority in the name of a list, as kombu's transport has
it."""
PRIORITIES: Final = sorted({route["priority"] for route in ROUTES.values()})


@dataclass(frozen=True, slots=True)
class QueueState:
    """A queue: how many jobs wait in it, and since how many seconds the oldest of them, None if
    none does."""

    name: str
    waiting: int
    oldest_seconds: float | None


def queue_states() -> list[QueueState] | None:
    """Return the state of each queue by one request to the broker; None if it doesn't answer."""
    keys = {queue: [_list_key(queue, priority) for priority in PRIORITIES] for queue in QUEUES}
    try:
        with _broker() as broker, broker.pipeline(transaction=False) as pipeline:
            for key in (key for queue_keys in keys.values() for key in queue_keys):
                pipeline.llen(key)
                pipeline.lindex(key, -1)  # the oldest: calls come in at the other end
            answers = iter(pipeline.execute())
    except (RedisError, OSError):
        return None
    states = []
    for queue, queue_keys in keys.items():
        waiting = 0
        ages = []
        for _ in queue_keys:
            waiting += next(answers)
            ages.append(_age(next(answers)))
        known_ages = [age for age in ages if age is not None]
        states.append(QueueState(queue, waiting, max(known_ages, default=None)))
    return states


def _broker() -> Redis:
    return Redis.from_url(
        settings.REDIS_URL,
        socket_timeout=settings.REDIS_SECONDS,
        socket_connect_timeout=settings.REDIS_SECONDS,
    )


def _list_key(queue: str, priority: int) -> str:
    return f"{queue}{PRIORITY_SEPARATOR}{priority}" if priority else queue


def _age(message: bytes | None) -> float | None:
    """Return for how many seconds a call has waited: at least 0, whatever the clocks say. Return
    None if there is no call, or one of an older version."""
    if message is None:
        return None
    try:
        queued_at = float(json.loads(message)["headers"][QUEUED_AT])
    except (KeyError, TypeError, ValueError):
        return None
    return max(time.time() - queued_at, 0.0)
