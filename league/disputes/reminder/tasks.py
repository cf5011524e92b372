"""The jobs of reminders: each takes an id, calls a service, and is safe to run twice, late or in
any order."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from league.core.jobs import call
from league.disputes.reminder.queries import reminders_due
from league.disputes.reminder.services import case_remind


@shared_task(ignore_result=True)
def remind_of_case(reminder_id: int) -> None:
    """Remind people of a case that still waits; running it again reminds nobody twice."""
    case_remind(reminder_id=reminder_id)


@shared_task(ignore_result=True)
def sweep_reminders() -> None:
    """Find the cases whose reminders are due, and call a job for each; a second call for the same
    case reminds nobody."""
    for reminder_id in reminders_due(timezone.now()):
        call("disputes.reminder.tasks.remind_of_case", reminder_id)
