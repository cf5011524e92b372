"""Jobs and arbiters at the same objection in the same moment: it is told once, or it has ended."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from games.models import Game
from league.core.log.services import Actor
from league.disputes.objection.services import objection_raise
from league.disputes.reminder.services import objection_remind
from league.models import LogEntry, Objection, ObjectionEnd, ObjectionReminder
from tests.league.disputes.ruling.rulings import let_stand

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def due(played: Game) -> Objection:
    """An objection of which somebody is to be reminded now."""
    objection = objection_raise(game=played, seat=0, word="It was a four.", actor=Actor())
    ObjectionReminder.objects.update(next_at=timezone.now() - timedelta(hours=1))
    return objection


def at_once(*acts: Callable[[], object]) -> list[object]:
    def done(act: Callable[[], object]) -> object:
        try:
            return act()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(done, acts))


def test_jobs_at_once_tell_it_once(due: Objection) -> None:
    ends = at_once(*[lambda: objection_remind(objection_id=due.pk)] * 3)
    assert sorted(map(bool, ends)) == [False, False, True]
    assert LogEntry.objects.filter(action="objection.reminded").count() == 1


def test_a_ruling_at_the_same_moment_is_made_and_no_job_waits_for_ever(due: Objection) -> None:
    at_once(
        lambda: objection_remind(objection_id=due.pk),
        lambda: let_stand(due, actor=Actor(reason="It was a five.")),
    )
    assert ObjectionEnd.objects.filter(objection=due).exists()
    assert ObjectionReminder.objects.get().next_at is None
