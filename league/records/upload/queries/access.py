"""The loaders of what an import is about: only for those who may import."""

from __future__ import annotations

from league.core.viewer.queries.access import Viewer, with_right
from league.records.upload.models import ImportJob
from league.standings.season.models import Season
from league.standings.season.queries.access import season_for


def season_for_import(viewer: Viewer, club_slug: str, slug: str) -> Season:
    """A season that the viewer may import games into. Raises `ObjectDoesNotExist`."""
    return with_right(viewer, season_for(viewer, club_slug, slug), "league.import_games", "club")


def import_job_for(viewer: Viewer, job: str) -> ImportJob:
    """An uploaded file by the public id, for organisers of its club. Raises `ImportJob.DoesNotExist`."""
    import_job = ImportJob.objects.select_related("season__club").defer("content").get(public_id=job)
    return with_right(viewer, import_job, "league.import_games", "season.club")
