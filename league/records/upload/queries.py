"""Uploaded files as lists show them, and their loaders, for members who may import."""

from __future__ import annotations

from django.db.models import QuerySet

from league.core.club.models import Club
from league.core.viewer.queries.access import Viewer, with_right
from league.records.upload.models import ImportJob
from league.standings.season.models import Season
from league.standings.season.queries.access import season_for

JOBS_LISTED = 20


def latest_jobs(season: Season) -> QuerySet[ImportJob]:
    """Return the files uploaded for a season, the newest first, without their content."""
    return (
        season.import_jobs.select_related("uploaded_by")
        .defer("content")
        .order_by("-uploaded_at", "-pk")[:JOBS_LISTED]
    )


def desk_uploads(club: Club) -> QuerySet[ImportJob]:
    """Return the files uploaded for a club's seasons, the newest first, without their content."""
    jobs = (
        ImportJob.objects.filter(season__club=club)
        .select_related("uploaded_by", "season")
        .defer("content")
    )
    return jobs.order_by("-uploaded_at", "-pk")


def season_for_import(viewer: Viewer, club_slug: str, slug: str) -> Season:
    """Return a season that the viewer may import games into. Raise `ObjectDoesNotExist`
    otherwise."""
    return with_right(viewer, season_for(viewer, club_slug, slug), "league.import_games", "club")


def import_job_for(viewer: Viewer, job: str) -> ImportJob:
    """Return an uploaded file, given by public id, if the viewer may import games into its club.
    Raise `ImportJob.DoesNotExist` otherwise."""
    import_job = (
        ImportJob.objects.select_related("season__club").defer("content").get(public_id=job)
    )
    return with_right(viewer, import_job, "league.import_games", "season.club")
