"""Repairing times in the future, which a clock that was ahead has left behind."""

from __future__ import annotations

from django.db.models.functions import Now

from league.core.delivery.models.letter import Letter
from league.core.delivery.services import letter
from league.core.log.models import SetAside
from league.core.log.readers import PUSH_BACK
from league.notices.notice.models import NoticeSending
from league.notices.notice.services import sending


def due_times_set_back() -> int:
    """Make entries of logs that were set aside, emails and sendings of notices due now if they are
    due later than their longest wait. Return how many there were."""
    entries = SetAside.objects.filter(due_at__gt=Now() + max(PUSH_BACK))
    letters = Letter.objects.filter(
        state=Letter.State.WAITING, due_at__gt=Now() + max(*letter.WAITS, letter.HELD)
    )
    sendings = NoticeSending.objects.filter(
        state=NoticeSending.State.WAITING, due_at__gt=Now() + max(*sending.WAITS, sending.HELD)
    )
    return (
        entries.update(due_at=Now()) + letters.update(due_at=Now()) + sendings.update(due_at=Now())
    )
