"""Uploaded files, as lists show them."""

from django.db.models import QuerySet

from league.imports.models import ImportJob
from league.rankings.models import Season

JOBS_LISTED = 20


def latest_jobs(season: Season) -> QuerySet[ImportJob]:
    """The files uploaded for a season lately, the newest first, without their bytes."""
    return (
        season.import_jobs.select_related("uploaded_by").defer("content").order_by("-uploaded_at", "-pk")[:JOBS_LISTED]
    )
