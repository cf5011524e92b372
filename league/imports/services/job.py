"""Uploaded files: first a preview, then the import. Every step is safe to run twice, late, or after a kill."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from time import monotonic

import structlog
from django.db import connection, transaction
from django.db.models.functions import Now

from league.clubs.models import User
from league.imports.models import ImportJob
from league.imports.services.record import Report, file_import
from league.jobs import call_on_commit
from league.rankings.models import Season

log = structlog.get_logger(__name__)

State = ImportJob.State
LOCK_SPACE = 0x1EB0  # the first half of the advisory lock's key; the job's id is the second
OVERDUE = timedelta(seconds=20)  # a job that nobody has touched for so long lost its call
PROGRESS_SECONDS = 0.3


def import_job_create(
    *,
    season: Season,
    uploaded_by: User,
    file_name: str,
    content: bytes,
    create_players: bool,
    all_or_nothing: bool,
) -> ImportJob:
    """Store an uploaded file and call for its preview."""
    with transaction.atomic():
        job = ImportJob.objects.create(
            season=season,
            uploaded_by=uploaded_by,
            file_name=file_name[:255],
            content=content,
            size=len(content),
            create_players=create_players,
            all_or_nothing=all_or_nothing,
        )
        call_on_commit("imports.tasks.preview_import", job.pk)
    return job


def import_job_confirm(*, job: ImportJob) -> bool:
    """Let a previewed job run; False if it was confirmed or dropped before."""
    with transaction.atomic():
        confirmed = ImportJob.objects.filter(pk=job.pk, state=State.PREVIEWED).update(
            state=State.CONFIRMED, bytes_read=0
        )
        if confirmed:
            call_on_commit("imports.tasks.run_import", job.pk)
    return bool(confirmed)


def import_job_drop(*, job: ImportJob) -> bool:
    """Drop a job that hasn't run; False if it has. Its file is forgotten."""
    waiting = [State.UPLOADED, State.PREVIEWED, State.FAILED]
    return bool(
        ImportJob.objects.filter(pk=job.pk, state__in=waiting).update(
            state=State.DROPPED, content=b"", finished_at=Now()
        )
    )


def import_job_preview(*, job_id: int) -> None:
    """Work out what the file would do and wait for the organiser."""
    with _alone(job_id, State.UPLOADED) as job:
        if job:
            _run(job, dry_run=True, end=lambda report: State.PREVIEWED)


def import_job_run(*, job_id: int) -> None:
    """Import the file. A job that was killed on the way is run again; what went in before is found unchanged."""
    with _alone(job_id, State.CONFIRMED) as job:
        if job:
            _run(job, dry_run=False, end=lambda report: State.REFUSED if report.refused else State.DONE)


def import_jobs_waiting() -> list[tuple[int, str]]:
    """Jobs (id, state) that should have been done by now; one that runs is found too, and left alone by its lock."""
    return list(
        ImportJob.objects.filter(
            state__in=[State.UPLOADED, State.CONFIRMED], uploaded_at__lt=Now() - OVERDUE
        ).values_list("pk", "state")
    )


@contextmanager
def _alone(job_id: int, state: str) -> Iterator[ImportJob | None]:
    """The job, if it is in that state and no other worker has it; the database forgets the lock of a killed one."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s, %s)", [LOCK_SPACE, job_id])
        if not cursor.fetchone()[0]:
            yield None
            return
        try:
            yield (
                ImportJob.objects.select_related("season__club", "uploaded_by").filter(pk=job_id, state=state).first()
            )
        finally:
            cursor.execute("SELECT pg_advisory_unlock(%s, %s)", [LOCK_SPACE, job_id])


def _run(job: ImportJob, *, dry_run: bool, end: Callable[[Report], str]) -> None:
    """Run the import service over the job's file and write the end state."""
    stream = io.BytesIO(bytes(job.content))
    try:
        with _progress(job, stream) as progress:
            report = file_import(
                stream=stream,
                season=job.season,
                entered_by=job.uploaded_by,
                create_players=job.create_players,
                all_or_nothing=job.all_or_nothing,
                dry_run=dry_run,
                progress=progress,
            )
    except Exception:
        log.exception("import.failed", job=job.pk)
        ImportJob.objects.filter(pk=job.pk).update(state=State.FAILED, finished_at=Now())
        return
    state = end(report)
    job.state, job.report, job.bytes_read = state, report.as_json(), job.size
    if state in (State.DONE, State.REFUSED):
        job.content = b""
        ImportJob.objects.filter(pk=job.pk).update(finished_at=Now())
    job.save(update_fields=["state", "report", "bytes_read", "content"])


@contextmanager
def _progress(job: ImportJob, stream: io.BytesIO) -> Iterator[Callable[[], None]]:
    """A call that writes now and then how far a job has read.

    It has a connection of its own: the import's may be in a transaction, which nobody else sees.
    """
    apart = connection.copy()
    written = monotonic()

    def progress() -> None:
        nonlocal written
        if monotonic() - written >= PROGRESS_SECONDS:
            written = monotonic()
            with apart.cursor() as cursor:
                cursor.execute("UPDATE league_importjob SET bytes_read = %s WHERE id = %s", [stream.tell(), job.pk])

    try:
        yield progress
    finally:
        apart.close()
