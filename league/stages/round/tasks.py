"""Celery tasks that draw rounds. Each takes an id, calls a service, and can run twice, late or in
any order."""

from __future__ import annotations

import structlog
from celery import Task, shared_task
from celery.exceptions import SoftTimeLimitExceeded

from engine.messages import say
from league.core.jobs import RETRY_SECONDS, retry_later
from league.core.locks import Busy
from league.stages.round.services import round_attempt, round_draw, round_fail, rounds_waiting

log = structlog.get_logger(__name__)


@shared_task(bind=True, ignore_result=True, max_retries=len(RETRY_SECONDS))
def draw_round(self: Task, round_id: int) -> None:
    """Draw a requested round.

    Called twice, the second call finds it drawn and does nothing; of two calls at the same time one
    waits. Called late, it draws from the results of that moment, unless the round was taken back.
    """
    if not round_attempt(round_id=round_id):
        return
    try:
        round_draw(round_id=round_id)
    except SoftTimeLimitExceeded:
        log.warning("round.too_long", round=round_id)
        round_fail(
            round_id=round_id, why=say("the draw took too long; plan fewer rounds, or more groups")
        )
    except Busy:
        retry_later(self)


@shared_task(ignore_result=True)
def sweep_rounds() -> None:
    """Call the job again for all rounds that wait to be drawn, in case a call was lost; an extra
    call does nothing."""
    for round_id in rounds_waiting():
        draw_round.delay(round_id)
