"""Celery jobs of audits: each takes an id, calls a service, and is safe to run twice, late or in
any order.

An audit works for its time slice; what is left of it is called for again, behind all that somebody waits
for."""

from __future__ import annotations

from celery import shared_task

from league.core.club.models import Club
from league.core.jobs import SLICE_SECONDS, TimeSlice, call
from league.site.audit.queries.audit import clubs_audited
from league.site.audit.services import audit_ask, audits_continue


@shared_task(ignore_result=True)
def audit_clubs() -> None:
    """Audit every club, each by jobs of its own."""
    for club_id in Club.objects.order_by("pk").values_list("pk", flat=True):
        audit_ask(club_id=club_id)
        call("site.audit.tasks.audit_club", club_id)


@shared_task(ignore_result=True)
def audit_club(club_id: int) -> None:
    """Carry out a club's audit for a time slice."""
    if audits_continue(club_id=club_id, time_slice=TimeSlice(SLICE_SECONDS)):
        call("site.audit.tasks.audit_club", club_id)


@shared_task(ignore_result=True)
def sweep_audits() -> None:
    """Find audits whose call was lost, or whose worker has died, and call again; one too many does
    nothing."""
    for club_id in clubs_audited():
        call("site.audit.tasks.audit_club", club_id)
