"""The Celery job that repairs times in the future."""

from __future__ import annotations

from celery import shared_task

from league.site.health.services import due_times_set_back


@shared_task(ignore_result=True)
def set_due_times_back() -> None:
    """Make rows due now that wait for a time which a clock that was ahead has set."""
    due_times_set_back()
