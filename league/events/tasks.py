"""Celery jobs of events: each takes an id, calls a service, and is safe to run twice, late or in any order."""

from __future__ import annotations

import structlog
from celery import Task, shared_task
from celery.exceptions import SoftTimeLimitExceeded

from engine.messages import say
from league.events.models import NoticeSending
from league.events.queries.notice import clubs_waiting, sendings_waiting
from league.events.services.notice import READER, notices_forget, notices_read
from league.events.services.round import round_begin, round_draw, round_fail, rounds_waiting
from league.events.services.self_entry import entries_by_mail_forget
from league.events.services.sending import sending_mail, sending_push
from league.events.services.timetable import timetable_fail, timetable_make, timetables_waiting
from league.locks import Busy

log = structlog.get_logger(__name__)

RETRY_SECONDS = (0.1, 0.3, 1.0, 3.0)  # then the sweep finds it
SWEEP_SECONDS = 30


@shared_task(bind=True, ignore_result=True, max_retries=len(RETRY_SECONDS))
def draw_round(self: Task, round_id: int) -> None:
    """Draw a round that was asked for.

    Twice: the second finds it drawn, and does nothing; at the same time one of them waits its turn. Late: it draws from
    the results of that moment, unless the round was taken back.
    """
    if not round_begin(round_id=round_id):
        return
    try:
        round_draw(round_id=round_id)
    except SoftTimeLimitExceeded:
        log.warning("round.too_long", round=round_id)
        round_fail(round_id=round_id, why=say("the draw took too long; plan fewer rounds, or more groups"))
    except Busy:
        tries = self.request.retries
        if tries < len(RETRY_SECONDS):
            raise self.retry(countdown=RETRY_SECONDS[tries]) from None


@shared_task(ignore_result=True)
def sweep_rounds() -> None:
    """Find rounds that no job was called for, or whose call was lost, and call again; a call too many does nothing."""
    for round_id in rounds_waiting():
        draw_round.delay(round_id)


@shared_task(ignore_result=True)
def forget_entries_by_mail() -> None:
    """Forget the addresses of those who entered by mail, once nothing needs them; run late, it forgets them late."""
    entries_by_mail_forget()


@shared_task(ignore_result=True)
def read_notices(club_id: int) -> None:
    """Make the notices of what a club's log tells since last time.

    Twice: the second finds nothing new; at the same time the one that reads makes them all. Late: of what is no longer
    so, or happened too long ago, nobody is told.
    """
    try:
        notices_read(club_id=club_id)
    except Busy:
        return


@shared_task(ignore_result=True)
def mail_notice(sending_id: int) -> None:
    """Write a notice's letter, if it still waits and nobody else is at it: once, however often this runs."""
    sending_mail(sending_id=sending_id)


@shared_task(ignore_result=True)
def push_notice(sending_id: int) -> None:
    """Push a notice to a device, if it still waits and nobody else is at it; hours late, it is given up instead.

    A worker that dies in the middle may push twice; the second replaces the first.
    """
    sending_push(sending_id=sending_id)


@shared_task(ignore_result=True)
def sweep_notices() -> None:
    """Find the clubs whose log tells something new, and have it read; a call too many reads nothing."""
    for club_id in clubs_waiting(READER):
        read_notices.delay(club_id)


@shared_task(ignore_result=True)
def sweep_sendings() -> None:
    """Find sendings that are due again or whose call was lost, and call again; one that is being sent stays alone."""
    for sending_id, channel in sendings_waiting():
        job = mail_notice if channel == NoticeSending.Channel.MAIL else push_notice
        job.apply_async([sending_id], expires=SWEEP_SECONDS)  # the next sweep calls anew


@shared_task(ignore_result=True)
def forget_notices() -> None:
    """Forget the notices of long ago; run late, it forgets them late."""
    notices_forget()


@shared_task(bind=True, ignore_result=True, max_retries=len(RETRY_SECONDS))
def make_timetable(self: Task, timetable_id: int) -> None:
    """Make a timetable that was asked for.

    Twice: the second finds it made, and does nothing; at the same time one of them waits its turn. Late: it goes by
    what was stored when it was asked for, and is kept only if it was not taken back and its places and times are there.
    """
    try:
        timetable_make(timetable_id=timetable_id)
    except SoftTimeLimitExceeded:
        log.warning("timetable.too_long", timetable=timetable_id)
        why = say("the search took too long; plan fewer tables, or more places and times")
        timetable_fail(timetable_id=timetable_id, reasons=[why])
    except Busy:
        tries = self.request.retries
        if tries < len(RETRY_SECONDS):
            raise self.retry(countdown=RETRY_SECONDS[tries]) from None


@shared_task(ignore_result=True)
def sweep_timetables() -> None:
    """Find timetables that no job was called for, or whose call was lost, and call again; one too many does nothing."""
    for timetable_id in timetables_waiting():
        make_timetable.delay(timetable_id)
