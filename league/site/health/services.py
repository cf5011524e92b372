"""What a clock that was ahead has left behind: times to come at which nobody would look for
long."""

from __future__ import annotations

from django.db.models.functions import Now

from league.core.delivery.models.letter import Letter
from league.core.delivery.services import letter
from league.core.log.models import SetAside
from league.core.log.readers import PUSH_BACK
from league.notices.notice.models import NoticeSending
from league.notices.notice.services import sending


def due_times_set_back() -> int:
    """Let be due now what waits for a time that is further away than anything ever waits; returns
    how many that were.

    Entries of logs that were set aside, letters and sendings.
    """
    waiting_letters = Letter.objects.filter(state=Letter.State.WAITING)
    waiting_sendings = NoticeSending.objects.filter(state=NoticeSending.State.WAITING)
    return (
        SetAside.objects.filter(due_at__gt=Now() + max(PUSH_BACK)).update(due_at=Now())
        + waiting_letters.filter(due_at__gt=Now() + max(*letter.WAITS, letter.HELD)).update(
            due_at=Now()
        )
        + waiting_sendings.filter(due_at__gt=Now() + max(*sending.WAITS, sending.HELD)).update(
            due_at=Now()
        )
    )
