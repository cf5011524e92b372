"""Celery jobs that concern all areas of a club: each takes an id, calls a service, and is safe to
run twice."""

from __future__ import annotations

from celery import shared_task

from league.site.health.services import due_times_set_back


@shared_task(ignore_result=True)
def set_due_times_back() -> None:
    """Let nothing wait for a time that a wrong clock has named."""
    due_times_set_back()
