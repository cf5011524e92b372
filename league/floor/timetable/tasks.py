"""The jobs of timetables: each takes an id, calls a service, and is safe to run twice, late or in
any order."""

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
    """Make a timetable that was asked for.

    Twice: the second finds it made, and does nothing; at the same time one of them waits its turn.
    Late: it goes by what was stored when it was asked for, and is kept only if it was not taken
    back and its places and times are there."""
    try:
        timetable_make(timetable_id=timetable_id)
    except SoftTimeLimitExceeded:
        log.warning("timetable.too_long", timetable=timetable_id)
        why = say("the search took too long; plan fewer tables, or more places and times")
        timetable_fail(timetable_id=timetable_id, reasons=[why])
    except Busy:
        retry_later(self)


@shared_task(ignore_result=True)
def sweep_timetables() -> None:
    """Find timetables that no job was called for, or whose call was lost, and call again; one too
    many does nothing."""
    for timetable_id in timetables_waiting():
        make_timetable.delay(timetable_id)
