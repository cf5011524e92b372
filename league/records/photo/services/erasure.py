"""What uploaded files forget when a player is erased."""

from __future__ import annotations

import json
from re import Pattern

from django.db.models.functions import Now

from league.core.locks import Busy
from league.core.log.services import Journal
from league.records.upload.actions import ImportAction
from league.records.upload.models import WORKING, ImportJob

WAITING = (ImportJob.State.PREVIEWED, ImportJob.State.FAILED)


def uploads_forget(journal: Journal, names: Pattern[str]) -> None:
    """Drop the club's files that wait for confirmation, because any of them may contain the name.
    In reports that contain it, empty the lists and keep the counts.

    `names`: a pattern that matches every name of the erased player.

    Raise `Busy` while a file is being read or imported.
    """
    jobs = ImportJob.objects.filter(season__club=journal.club_id)
    if jobs.filter(state__in=WORKING).exists():
        raise Busy("a file is being imported")
    for job in jobs.filter(state__in=WAITING).only("public_id"):
        journal.add(ImportAction.DROPPED, job.public_id)
    jobs.filter(state__in=WAITING).update(
        state=ImportJob.State.DROPPED, content=b"", finished_at=Now()
    )
    for job in jobs.only("public_id", "file_name", "report"):
        if names.search(job.file_name):
            job.file_name = job.public_id
        if names.search(json.dumps(job.report, ensure_ascii=False)):
            job.report.update({"new_players": [], "lookalikes": [], "bad_games": []})
        job.save(update_fields=["file_name", "report"])
