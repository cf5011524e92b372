"""Celery jobs that concern all areas of a club: each takes an id, calls a service, and is safe to run twice."""

from __future__ import annotations

from celery import shared_task

from league.clubs.models import Club
from league.site.services.audit import club_audit
from league.site.services.clock import due_times_set_back


@shared_task(ignore_result=True)
def audit_clubs() -> None:
    """Audit every club, each by a job of its own."""
    for club_id in Club.objects.order_by("pk").values_list("pk", flat=True):
        audit_club.delay(club_id)


@shared_task(ignore_result=True)
def audit_club(club_id: int) -> None:
    """Audit a club and keep what was found."""
    club_audit(club_id=club_id)


@shared_task(ignore_result=True)
def set_due_times_back() -> None:
    """Let nothing wait for a time that a wrong clock has named."""
    due_times_set_back()
