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
    """Make the notices of what a club's log tells since last time.

    Twice: the second finds nothing new; at the same time the one that reads makes them all. Late:
    of what is no longer so, or happened too long ago, nobody is told."""
    try:
        notices_read(club_id=club_id)
    except Busy:
        return


@shared_task(ignore_result=True)
def mail_notice(sending_id: int) -> None:
    """Write a notice's letter, if it still waits and nobody else is at it: once, however often this
    runs."""
    sending_mail(sending_id=sending_id)


@shared_task(ignore_result=True)
def push_notice(sending_id: int) -> None:
    """Push a notice to a device, if it still waits and nobody else is at it; hours late, it is
    given up instead.

    A worker that dies in the middle may push twice; the second replaces the first.
    """
    sending_push(sending_id=sending_id)


@shared_task(ignore_result=True)
def sweep_notices() -> None:
    """Find the clubs whose log tells something new, and have it read; a call too many reads
    nothing."""
    for club_id in clubs_waiting(READER):
        read_notices.delay(club_id)


@shared_task(ignore_result=True)
def sweep_sendings() -> None:
    """Find sendings that are due again or whose call was lost, and call again; one that is being
    sent stays alone."""
    for sending_id, channel in sendings_waiting():
        job = mail_notice if channel == NoticeSending.Channel.MAIL else push_notice
        job.apply_async([sending_id], expires=SWEEP_SECONDS)  # the next sweep calls anew


@shared_task(ignore_result=True)
def tell_turn(seat_id: int) -> None:
    """Tell a player that it is their turn, or that its time runs out: each once, however often this
    runs."""
    turn_notice_make(seat_id=seat_id)


@shared_task(ignore_result=True)
def tell_end(seat_id: int) -> None:
    """Tell the account of a seat that its game turn by turn is over: once, however often this
    runs."""
    end_notice_make(seat_id=seat_id)


@shared_task(ignore_result=True)
def sweep_turns() -> None:
    """Find the turns and ends of which somebody is to be told, and have it done; a call too many
    tells nothing."""
    now = timezone.now()
    for seat_id in turns_to_tell(now):
        tell_turn.apply_async([seat_id], expires=SWEEP_SECONDS)  # the next sweep calls anew
    for seat_id in ends_to_tell(now):
        tell_end.apply_async([seat_id], expires=SWEEP_SECONDS)


@shared_task(ignore_result=True)
def forget_notices() -> None:
    """Forget the notices of long ago; run late, it forgets them late."""
    notices_forget()
