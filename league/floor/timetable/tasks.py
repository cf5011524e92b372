"""Celery tasks that make timetables. Each takes an id, calls a service, and can run twice, late or
in any order."""

from __future__ import annotations

import structlog
from celery import Task, shared_task
from celery.exceptions import SoftTimeLimitExceeded

from engine.messages import say
from league.core.jobs import RETRY_SECONDS, retry_later
from league.core.locks import Busy
from league.floor.timetable.services import timetable_fail, timetable_make, timetables_waiting

log = structlog.get_logger(__name__)


@shared_task(bind=True, ignore_result=True, max_retries=len(RETRY_SECONDS))
def make_timetable(self: Task, timetable_id: int) -> None:
    """Make a requested timetable.

    Called twice, the second call finds it made and does nothing; of two calls at the same time one
    waits. Called late, it uses the input that was stored with the request; the result is stored
    only if the request wasn't taken back, and its places and times still exist.
    """
    try:
        timetable_make(timetable_id=timetable_id)
    except SoftTimeLimitExceeded:
        log.warning("timetable.too_long", timetable=timetable_id)
        why = say("the search took too long; plan fewer tables, or more spots and times")
        timetable_fail(timetable_id=timetable_id, reasons=[why])
    except Busy:
        retry_later(self)


@shared_task(ignore_result=True)
def sweep_timetables() -> None:
    """Call the job again for all timetables that wait to be made, in case a call was lost; an extra
    call does nothing."""
    for timetable_id in timetables_waiting():
        make_timetable.delay(timetable_id)
