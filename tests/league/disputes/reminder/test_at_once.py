"""Jobs and arbiters at the same case in the same moment: it is told once, or it has ended."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from league.disputes.reminder.models import DisputeCase
from league.disputes.reminder.queries import still_waits
from league.disputes.reminder.services import case_remind
from league.models import CaseReminder, LogEntry, User
from tests.league.disputes.reminder.cases import end

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def due(case: DisputeCase) -> CaseReminder:
    """The reminder of a case of which somebody is to be told now."""
    CaseReminder.objects.filter(pk=case.reminder.pk).update(
        next_at=timezone.now() - timedelta(hours=1)
    )
    return CaseReminder.objects.get(pk=case.reminder.pk)


def at_once(*acts: Callable[[], object]) -> list[object]:
    def done(act: Callable[[], object]) -> object:
        try:
            return act()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(done, acts))


def test_jobs_at_once_tell_it_once(due: CaseReminder) -> None:
    ends = at_once(*[lambda: case_remind(reminder_id=due.pk)] * 3)
    assert sorted(map(bool, ends)) == [False, False, True]
    assert LogEntry.objects.filter(action=f"{due.kind}.reminded").count() == 1


def test_a_decision_at_the_same_moment_is_made_and_no_job_waits_for_ever(
    case: DisputeCase, due: CaseReminder, ruler: User, second: User
) -> None:
    at_once(
        lambda: case_remind(reminder_id=due.pk),
        lambda: end(case, ruler, second),
    )
    due.refresh_from_db()
    assert not still_waits(due)
    assert due.next_at is None
