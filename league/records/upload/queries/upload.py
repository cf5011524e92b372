"""Uploaded files, as lists show them."""

from __future__ import annotations

from django.db.models import QuerySet

from league.core.club.models import Club
from league.records.upload.models import ImportJob
from league.standings.season.models import Season

JOBS_LISTED = 20


def latest_jobs(season: Season) -> QuerySet[ImportJob]:
    """The files uploaded for a season lately, the newest first, without their bytes."""
    return (
        season.import_jobs.select_related("uploaded_by").defer("content").order_by("-uploaded_at", "-pk")[:JOBS_LISTED]
    )


def desk_uploads(club: Club) -> QuerySet[ImportJob]:
    """The files uploaded for a club's seasons, the newest first, without their bytes."""
    jobs = ImportJob.objects.filter(season__club=club).select_related("uploaded_by", "season").defer("content")
    return jobs.order_by("-uploaded_at", "-pk")
