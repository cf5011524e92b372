"""Calling jobs: queuing them for a worker. The work is a committed row already; the call is only a
nudge.

A job has at most one call waiting for a row, however often it is called. The note of that call, in the
cache, is removed when the job begins, before it looks for work: so work that is committed later
leads to another call."""

from collections.abc import Iterable
from math import inf
from time import monotonic
from typing import Any, Final

import structlog
from celery import Task
from celery.signals import task_prerun
from django.core.cache import cache
from django.db import transaction
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

from league.celery_app import app
from league.core.frame.outages import VALKEY

log = structlog.get_logger(__name__)

RETRY_SECONDS: Final = (0.1, 0.3, 1.0, 3.0)
"""The delays after which a job that met another at the same work tries again; then the sweep finds
it."""
AWAY_SECONDS: Final = 5.0  # after a lost call this process makes no further calls for so long
NOTE_SECONDS: Final = 30
"""A call that no worker has taken for this long counts as lost, and can be made again."""
_away_until = 0.0

SLICE_SECONDS: Final = 2.0
"""The time slice of a long job: at its end the job makes way for others that wait."""


class TimeSlice:
    """The time that a job may work before it makes way for others; unlimited by default."""

    def __init__(self, seconds: float = inf) -> None:
        self.end = monotonic() + seconds

    def is_over(self) -> bool:
        """Return True once the rest of the work has to wait for the job's next time slice."""
        return monotonic() >= self.end


UNLIMITED: Final = TimeSlice()
"""For work that needn't make way for any other."""


def call_on_commit(job: str, row_id: int) -> None:
    """Call a job (`<wing>.<noun>.tasks.<name>`) with a row's id once the transaction is committed.

    If the broker is away the call is lost, and the sweep finds the row later."""
    transaction.on_commit(lambda: call(job, row_id), robust=True)


def call(job: str, *ids: int) -> bool:
    """Queue a job, unless a call of it with these ids is already waiting. Return True if a call is
    waiting now.

    A broker that hangs delays one caller for a moment; then calls are skipped for a while.
    """
    global _away_until
    if monotonic() < _away_until:
        return False
    note = _waiting_call_key(f"league.{job}", ids)
    if not cache.add(note, 1, NOTE_SECONDS):
        return True
    try:
        app.send_task(f"league.{job}", args=list(ids), retry=False)
    except (OSError, OperationalError, RedisError) as error:
        _away_until = monotonic() + AWAY_SECONDS
        log.warning("job.lost", outage=VALKEY, job=job, error=type(error).__name__, exc_info=error)
        cache.delete(note)
        return False
    return True


def retry_later(task: Task) -> None:
    """Retry a job that has met another job at the same work: raise `Retry`, unless it was retried
    as often as `RETRY_SECONDS` says."""
    if task.request.retries < len(RETRY_SECONDS):
        raise task.retry(countdown=RETRY_SECONDS[task.request.retries]) from None


def call_begins(task: Any, args: Iterable[int], **signal: Any) -> None:
    """Remove the note of a job's call as the job begins, so that it can be called again."""
    cache.delete(_waiting_call_key(task.name, args))


task_prerun.connect(call_begins)


def _waiting_call_key(job_name: str, ids: Iterable[int]) -> str:
    return ":".join(["called", job_name, *map(str, ids)])
