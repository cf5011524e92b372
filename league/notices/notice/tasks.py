"""The jobs of notices: each takes an id, calls a service, and is safe to run twice, late or in any
order."""

from __future__ import annotations

import structlog
from celery import shared_task
from django.utils import timezone

from league.core.locks import Busy
from league.notices.notice.models import NoticeSending
from league.notices.notice.queries.notice import clubs_waiting, sendings_waiting
from league.notices.notice.services.notice import READER, notices_forget, notices_read
from league.notices.notice.services.sending import sending_mail, sending_push
from league.notices.notice.services.turn import end_notice_make, turn_notice_make
from league.play.game_end.queries import ends_to_tell
from league.play.turn.queries import turns_to_tell

log = structlog.get_logger(__name__)
SWEEP_SECONDS = 30


@shared_task(ignore_result=True)
def read_notices(club_id: int) -> None:
    """Make the notices of the new entries of a club's log.

    A second run finds nothing new; one at the same time leaves the work to the first. Run late, it
    makes no notice of what no longer holds or happened too long ago."""
    try:
        notices_read(club_id=club_id)
    except Busy:
        return


@shared_task(ignore_result=True)
def mail_notice(sending_id: int) -> None:
    """Send a notice's letter if it still waits and no other worker has it; running it again sends
    no second one."""
    sending_mail(sending_id=sending_id)


@shared_task(ignore_result=True)
def push_notice(sending_id: int) -> None:
    """Push a notice to a device if it still waits and no other worker has it; hours late, it is
    given up.

    If a worker dies in the middle, the notice may be pushed twice; the second replaces the first.
    """
    sending_push(sending_id=sending_id)


@shared_task(ignore_result=True)
def sweep_notices() -> None:
    """Find the clubs whose log has new entries, and call a job for each; one call too many does
    nothing."""
    for club_id in clubs_waiting(READER):
        read_notices.delay(club_id)


@shared_task(ignore_result=True)
def sweep_sendings() -> None:
    """Find sendings that are due again or whose job was lost, and call their jobs; sendings that a
    worker has are left alone."""
    for sending_id, channel in sendings_waiting():
        job = mail_notice if channel == NoticeSending.Channel.MAIL else push_notice
        job.apply_async([sending_id], expires=SWEEP_SECONDS)  # the next sweep calls again


@shared_task(ignore_result=True)
def tell_turn(seat_id: int) -> None:
    """Notify a player that it is their turn, or that its time runs out; running it again notifies
    nobody twice."""
    turn_notice_make(seat_id=seat_id)


@shared_task(ignore_result=True)
def tell_end(seat_id: int) -> None:
    """Notify the account of a seat, given by row id, that its turn-by-turn game is over. Running
    this again notifies nobody twice."""
    end_notice_make(seat_id=seat_id)


@shared_task(ignore_result=True)
def sweep_turns() -> None:
    """Find the turns and ends whose notices are due, and call a job for each; one call too many
    notifies nobody."""
    now = timezone.now()
    for seat_id in turns_to_tell(now):
        tell_turn.apply_async([seat_id], expires=SWEEP_SECONDS)  # the next sweep calls again
    for seat_id in ends_to_tell(now):
        tell_end.apply_async([seat_id], expires=SWEEP_SECONDS)


@shared_task(ignore_result=True)
def forget_notices() -> None:
    """Delete old notices; run late, it deletes them late."""
    notices_forget()
