"""Uploaded files: first a preview, then the import. Every step is safe to run twice, late, or after
a kill."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from datetime import timedelta
from functools import partial
from time import monotonic
from typing import Any

import structlog
from celery.exceptions import SoftTimeLimitExceeded
from django.core.cache import cache
from django.db import connection
from django.db.models import F, QuerySet
from django.db.models.functions import Now

from league.core.account.models import User
from league.core.jobs import UNLIMITED, TimeSlice, call_on_commit
from league.core.locks import Busy, Collided, Space, once_more, session_lock
from league.core.log.services import Actor, Journal, club_journal
from league.records.file.services import Preview, Report, file_import, file_preview
from league.records.upload.actions import ImportAction
from league.records.upload.models import DROPPABLE, ImportJob
from league.standings.season.models import Season

log = structlog.get_logger(__name__)
ATTEMPTS = 3  # a worker may die by chance, but not by the same file three times
OVERDUE = timedelta(seconds=20)  # a job untouched for this long has lost its call
PROGRESS_SECONDS = 0.3
SMALL = 100_000  # bytes of a file whose preview doesn't wait behind imports
WHOLE = 0  # no job has this id: it is the lock for importing a file as a whole
PREVIEW_KEPT = 600  # seconds after which an interrupted preview starts again
IMPORTED = "imported"
"""The key in a preview's report under which the running import keeps its own."""


class SliceOver(Exception):
    """The time slice is over; the rest of the file comes after the jobs that wait."""


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
    with club_journal(season.club_id, Actor(uploaded_by.pk)) as journal:
        job = ImportJob.objects.create(
            season=season,
            uploaded_by=uploaded_by,
            file_name=file_name[:255],
            content=content,
            size=len(content),
            create_players=create_players,
            all_or_nothing=all_or_nothing,
        )
        payload = {"season": season.public_id, "bytes": job.size}
        journal.add(ImportAction.UPLOADED, job.public_id, payload, names={"file": job.file_name})
        call_on_commit(preview_job(job.size), job.pk)
    return job


def preview_job(size: int) -> str:
    """Return the job that previews a file of this many bytes."""
    name = "preview_import" if size <= SMALL else "preview_large"
    return f"records.upload.tasks.{name}"


def import_job_confirm(*, job: ImportJob, confirmed_by: User) -> bool:
    """Confirm a previewed file for import; return False if it was confirmed or dropped before."""
    with club_journal(job.season.club_id, Actor(confirmed_by.pk)) as journal:
        confirmed = ImportJob.objects.filter(pk=job.pk, state=ImportJob.State.PREVIEWED).update(
            state=ImportJob.State.CONFIRMED, bytes_read=0, attempts=0
        )
        if confirmed:
            journal.add(ImportAction.CONFIRMED, job.public_id)
            call_on_commit("records.upload.tasks.run_imports", job.season.club_id)
    return bool(confirmed)


def import_job_drop(*, job: ImportJob, dropped_by: User) -> bool:
    """Drop a file that hasn't been imported, and delete its content; return False if it has."""
    with club_journal(job.season.club_id, Actor(dropped_by.pk)) as journal:
        dropped = ImportJob.objects.filter(pk=job.pk, state__in=DROPPABLE).update(
            state=ImportJob.State.DROPPED, content=b"", finished_at=Now()
        )
        if dropped:
            journal.add(ImportAction.DROPPED, job.public_id)
    return bool(dropped)


def import_job_preview(*, job_id: int, time_slice: TimeSlice = UNLIMITED) -> bool:
    """Preview the file for one time slice; return True if something is left for the next one. Raise
    `Busy` while another worker has the job."""
    with session_lock(Space.IMPORT, job_id):
        return _work(
            job_id,
            ImportJob.State.UPLOADED,
            _preview,
            time_slice,
            lambda report: ImportJob.State.PREVIEWED,
        )


def _preview(
    job: ImportJob, time_slice: TimeSlice, *, progress: Callable[[], None], **options: Any
) -> Report:
    """Preview the file from where the last time slice stopped. If the cache has lost that state,
    start again, as another attempt."""
    key = f"preview:{job.pk}"
    preview = cache.get(key)
    if preview is None:
        preview = Preview(job.season, job.create_players)
    else:
        # an attempt that makes progress doesn't count as failed
        ImportJob.objects.filter(pk=job.pk).update(attempts=1)

    def batch_end() -> None:
        progress()
        if time_slice.is_over():
            cache.set(key, preview, PREVIEW_KEPT)
            raise SliceOver

    return file_preview(preview=preview, progress=batch_end, **options)


def imports_run(*, club_id: int, time_slice: TimeSlice = UNLIMITED) -> bool:
    """Import a club's oldest confirmed file that no other worker has, for one time slice; return
    True if any is left for the next one."""
    confirmed = ImportJob.objects.filter(season__club=club_id, state=ImportJob.State.CONFIRMED)
    for job_id in list(confirmed.order_by("pk").values_list("pk", flat=True)):
        with suppress(Busy):
            return import_job_run(job_id=job_id, time_slice=time_slice) or confirmed.exists()
    return False


def import_job_run(*, job_id: int, time_slice: TimeSlice = UNLIMITED) -> bool:
    """Import the file for one time slice; return True if something is left for the next one. A job
    that was killed resumes after the last batch that went in. A file that goes in as a whole takes
    one time slice of any length; only one such import runs at a time, while other imports go on.

    Raise `Busy` while another worker has the job, or while another file is imported as a
    whole."""
    is_whole = ImportJob.objects.filter(pk=job_id, all_or_nothing=True).exists()
    with (
        session_lock(Space.IMPORT, job_id),
        session_lock(Space.IMPORT, WHOLE) if is_whole else nullcontext(),
    ):
        return _work(
            job_id,
            ImportJob.State.CONFIRMED,
            _import,
            time_slice,
            lambda report: ImportJob.State.REFUSED if report.refused else ImportJob.State.DONE,
        )


def _import(
    job: ImportJob, time_slice: TimeSlice, *, progress: Callable[[], None], **options: Any
) -> Report:
    """Import the file from where the last time slice stopped; each batch stores the report in its
    own transaction."""
    if job.all_or_nothing:
        return file_import(entered_by=job.uploaded_by, progress=progress, **options)
    job_row = ImportJob.objects.filter(pk=job.pk)
    stored_report = job_row.values_list("report", flat=True).get()

    def store_report(report: Report) -> None:
        # an attempt that makes progress doesn't count as failed
        job_row.update(report={**stored_report, IMPORTED: report.as_json()}, attempts=1)

    def batch_end() -> None:
        progress()
        if time_slice.is_over():
            raise SliceOver

    report = Report(**stored_report.get(IMPORTED, {}))
    return file_import(
        entered_by=job.uploaded_by,
        progress=batch_end,
        report=report,
        store_report=store_report,
        **options,
    )


def imports_waiting() -> list[tuple[str, int]]:
    """Return the calls for files that are overdue: the name of a job and an id each. If a worker is
    at work on such a file, the file's lock makes the call do nothing."""
    overdue = ImportJob.objects.filter(uploaded_at__lt=Now() - OVERDUE).order_by("pk")
    uploaded = overdue.filter(state=ImportJob.State.UPLOADED).values_list("pk", "size")
    confirmed = overdue.filter(state=ImportJob.State.CONFIRMED).values_list(
        "season__club", flat=True
    )
    calls = [(preview_job(size), job_id) for job_id, size in uploaded]
    for club_id in dict.fromkeys(confirmed):
        calls.append(("records.upload.tasks.run_imports", club_id))
    return calls


def _work(
    job_id: int,
    state: str,
    step: Callable[..., Report],
    time_slice: TimeSlice,
    end_state: Callable[[Report], str],
) -> bool:
    """Work on a job for one time slice, if it is in this state; return True if something is left
    for the next one. `step` previews or imports the file; `end_state` returns the state in which
    the job ends, from the finished report."""
    job = _begin(job_id, state)
    if job is None:
        return False
    try:
        report = _run(job, partial(step, job, time_slice))
    except SliceOver:
        return True
    _end(job, report, end_state)
    return False


def _begin(job_id: int, state: str) -> ImportJob | None:
    """Return the job if it is in this state and may be tried again; otherwise None.

    The attempt is counted before the work begins: otherwise a file that kills its worker would hold
    up all others forever. After `ATTEMPTS` the job ends as failed."""
    job = (
        ImportJob.objects.select_related("season__club", "uploaded_by")
        .filter(pk=job_id, state=state)
        .first()
    )
    if job and job.attempts >= ATTEMPTS:
        # `_end` asks for the state after a success only, so the function is never called.
        _end(job, ImportJob.Failure.KILLED, lambda report: state)
        return None
    ImportJob.objects.filter(pk=job_id, state=state).update(attempts=F("attempts") + 1)
    return job


def _run(job: ImportJob, work: Callable[..., Report]) -> Report | ImportJob.Failure:
    """Return the service's report, or why it failed; after a deadlock, run once again from the
    start."""
    try:
        return once_more(partial(_read_file, job, work))
    except Collided:
        log.warning("import.collided", job=job.pk)
        return ImportJob.Failure.COLLIDED
    except SoftTimeLimitExceeded:
        log.warning("import.too_long", job=job.pk)
        return ImportJob.Failure.TIME
    except SliceOver:
        raise
    except Exception:
        log.exception("import.failed", job=job.pk)
        return ImportJob.Failure.ERROR


def _read_file(job: ImportJob, work: Callable[..., Report]) -> Report:
    stream = io.BytesIO(bytes(job.content))
    with _progress(job, stream) as progress:
        return work(
            stream=stream,
            season=job.season,
            create_players=job.create_players,
            all_or_nothing=job.all_or_nothing,
            progress=progress,
        )


def _end(
    job: ImportJob, report: Report | ImportJob.Failure, end_state: Callable[[Report], str]
) -> None:
    with club_journal(job.season.club_id, Actor(job.uploaded_by_id)) as journal:
        unchanged_job = ImportJob.objects.filter(pk=job.pk, state=job.state)
        if isinstance(report, ImportJob.Failure):
            _fail(journal, unchanged_job, job, report)
            return
        state = end_state(report)
        columns = {"state": state, "report": report.as_json(), "bytes_read": job.size}
        if state == ImportJob.State.PREVIEWED:
            unchanged_job.update(**columns)
        elif unchanged_job.update(**columns, content=b"", finished_at=Now()):
            counts = {
                name: getattr(report, name) for name in ("read", "created", "unchanged", "bad")
            }
            journal.add(ImportAction.ENDED, job.public_id, {"state": state, **counts})


def _fail(
    journal: Journal,
    unchanged_job: QuerySet[ImportJob],
    job: ImportJob,
    failure: ImportJob.Failure,
) -> None:
    """Store why the job failed; the report of an import covers the batches that went in.
    `unchanged_job`: its row; none if the job was dropped meanwhile."""
    report = unchanged_job.values_list("report", flat=True).first() or {}
    if job.state == ImportJob.State.CONFIRMED:
        report = report.get(IMPORTED) or Report().as_json()
    if unchanged_job.update(
        state=ImportJob.State.FAILED, failure=failure, report=report, finished_at=Now()
    ):
        journal.add(ImportAction.ENDED, job.public_id, {"state": ImportJob.State.FAILED})


@contextmanager
def _progress(job: ImportJob, stream: io.BytesIO) -> Iterator[Callable[[], None]]:
    """Yield a function that stores how far a job has read, if `PROGRESS_SECONDS` have passed. It
    uses its own connection: what is stored in the import's long transaction, nobody would see."""
    own_connection = connection.copy()
    saved_at = monotonic()

    def progress() -> None:
        nonlocal saved_at
        if monotonic() - saved_at >= PROGRESS_SECONDS:
            saved_at = monotonic()
            with own_connection.cursor() as cursor:
                cursor.execute(
                    "UPDATE league_importjob SET bytes_read = %s WHERE id = %s",
                    [stream.tell(), job.pk],
                )

    try:
        yield progress
    finally:
        own_connection.close()
