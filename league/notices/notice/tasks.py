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

    A second run finds nothing new; a simultaneous one leaves the work to the first. A late run
    makes no notice of anything outdated.
    """
    try:
        notices_read(club_id=club_id)
    except Busy:
        return


@shared_task(ignore_result=True)
def mail_notice(sending_id: int) -> None:
    """Send a notice's email if it still waits and no other worker has it; a second run sends no
    second email."""
    sending_mail(sending_id=sending_id)


@shared_task(ignore_result=True)
def push_notice(sending_id: int) -> None:
    """Push a notice to a device if it still waits and no other worker has it; after some hours,
    give it up.

    If a worker dies in the middle, the notice may be pushed twice; the second push replaces the
    first.
    """
    sending_push(sending_id=sending_id)


@shared_task(ignore_result=True)
def sweep_notices() -> None:
    """Find the clubs whose log has new entries, and queue a job for each; an extra job does
    nothing."""
    for club_id in clubs_waiting(READER):
        read_notices.delay(club_id)


@shared_task(ignore_result=True)
def sweep_sendings() -> None:
    """Queue jobs for the sendings that are due again or whose job was lost, but not for those that
    a worker has."""
    for sending_id, channel in sendings_waiting():
        job = mail_notice if channel == NoticeSending.Channel.MAIL else push_notice
        # It expires when the next sweep queues it again.
        job.apply_async([sending_id], expires=SWEEP_SECONDS)


@shared_task(ignore_result=True)
def tell_turn(seat_id: int) -> None:
    """Notify a player that it is their turn, or that its time runs out; a second run notifies
    nobody."""
    turn_notice_make(seat_id=seat_id)


@shared_task(ignore_result=True)
def tell_end(seat_id: int) -> None:
    """Notify the account of a seat that its game, played turn by turn, is over; a second run
    notifies nobody."""
    end_notice_make(seat_id=seat_id)


@shared_task(ignore_result=True)
def sweep_turns() -> None:
    """Queue a job for each turn and each end of a game whose notice is due; an extra job notifies
    nobody."""
    now = timezone.now()
    for seat_id in turns_to_tell(now):
        # It expires when the next sweep queues it again.
        tell_turn.apply_async([seat_id], expires=SWEEP_SECONDS)
    for seat_id in ends_to_tell(now):
        tell_end.apply_async([seat_id], expires=SWEEP_SECONDS)


@shared_task(ignore_result=True)
def forget_notices() -> None:
    """Delete old notices; a late run deletes them late."""
    notices_forget()
