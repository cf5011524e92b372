"""Calling jobs: what a job will do is a committed row already; the call is only a nudge."""

from time import monotonic
from typing import Final

import structlog
from django.db import transaction
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

from league.celery_app import app

log = structlog.get_logger(__name__)

RETRY_SECONDS: Final = (0.1, 0.3, 1.0, 3.0)
"""When a job that met somebody at the same work tries again; then the sweep finds it."""
AWAY_SECONDS: Final = 5.0  # after a lost call this process makes no other for so long
_away_until = 0.0


def call_on_commit(job: str, row_id: int) -> None:
    """Call a job (`<area>.tasks.<name>`) with a row's id once the transaction is committed.

    Where the broker is away the call is lost, and the sweep finds the row later.
    """
    transaction.on_commit(lambda: call(job, row_id), robust=True)


def call(job: str, *ids: int) -> bool:
    """Call a job now; whether the broker took the call. One that hangs holds up a caller for a moment, then nobody."""
    global _away_until
    if monotonic() < _away_until:
        return False
    try:
        app.send_task(f"league.{job}", args=list(ids), retry=False)
    except (OSError, OperationalError, RedisError) as error:
        _away_until = monotonic() + AWAY_SECONDS
        log.warning("job.lost", job=job, error=type(error).__name__)
        return False
    return True
