"""The jobs of reminders: each takes an id, calls a service, and is safe to run twice, late or in
any order."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from league.core.jobs import call
from league.disputes.reminder.queries import reminders_due
from league.disputes.reminder.services import objection_remind


@shared_task(ignore_result=True)
def remind_of_objection(objection_id: int) -> None:
    """Tell those who rule that an objection still waits: each time once, however often this
    runs."""
    objection_remind(objection_id=objection_id)


@shared_task(ignore_result=True)
def sweep_reminders() -> None:
    """Find the objections of which somebody is to be told, and have it done; a call too many tells
    nothing."""
    for objection_id in reminders_due(timezone.now()):
        call("disputes.reminder.tasks.remind_of_objection", objection_id)
