"""Celery jobs of audits: each takes an id, calls a service, and is safe to run twice, late or in
any order.

An audit works for one time slice at a time; then it queues up again behind the work that somebody
waits for."""

from __future__ import annotations

from celery import shared_task

from league.core.club.models import Club
from league.core.jobs import SLICE_SECONDS, TimeSlice, call
from league.site.audit.queries.audit import clubs_with_running_audits
from league.site.audit.services import audit_ask, audits_continue


@shared_task(ignore_result=True)
def audit_clubs() -> None:
    """Start an audit of every club, and queue a job for each."""
    for club_id in Club.objects.order_by("pk").values_list("pk", flat=True):
        audit_ask(club_id=club_id)
        call("site.audit.tasks.audit_club", club_id)


@shared_task(ignore_result=True)
def audit_club(club_id: int) -> None:
    """Continue a club's audit for one time slice."""
    if audits_continue(club_id=club_id, time_slice=TimeSlice(SLICE_SECONDS)):
        call("site.audit.tasks.audit_club", club_id)


@shared_task(ignore_result=True)
def sweep_audits() -> None:
    """Queue jobs for the audits whose job was lost or whose worker has died. An extra job does
    nothing."""
    for club_id in clubs_with_running_audits():
        call("site.audit.tasks.audit_club", club_id)
