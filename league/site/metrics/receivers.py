"""Counting what other nouns do: jobs, refused requests, and lines kept out of the log."""

from __future__ import annotations

import time
from http import HTTPStatus
from typing import Any, Final

from celery.signals import task_postrun, task_prerun

from league.core.frame.excess import request_refused
from league.core.frame.outages import line_held_back
from league.site.metrics.domain import JOB_SECONDS, JOBS, LINES_HELD_BACK, REFUSED_REQUESTS

OUTCOMES: Final = {"SUCCESS": "success", "FAILURE": "failure", "RETRY": "retry"}
"""Our words for Celery's states; any other is `other`."""
_started_at: dict[str, float] = {}
"""When each job that this process works on has started, by its id."""


def job_starts(task_id: str, **signal: Any) -> None:
    """Note when a job starts."""
    _started_at[task_id] = time.monotonic()


def job_ends(task_id: str, task: Any, state: str | None = None, **signal: Any) -> None:
    """Count a job that has ended, however it did. A killed one isn't counted: nobody is left to do
    that."""
    started_at = _started_at.pop(task_id, None)
    name = task.name.removeprefix("league.")
    JOBS.labels(name, OUTCOMES.get(state or "", "other")).inc()
    if started_at is not None:
        JOB_SECONDS.labels(name).observe(time.monotonic() - started_at)


task_prerun.connect(job_starts)
task_postrun.connect(job_ends)


@line_held_back.add
def outage_goes_on(server: str) -> None:
    """Count a line that was kept out of the log."""
    LINES_HELD_BACK.labels(server).inc()


@request_refused.add
def request_is_refused(status: HTTPStatus) -> None:
    """Count a request beyond a limit."""
    REFUSED_REQUESTS.labels(str(status.value)).inc()
