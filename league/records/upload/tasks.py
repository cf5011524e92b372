"""Celery jobs of uploaded files. Each takes an id, and may run twice, late or in any order.

A file that another worker has is left to that worker. Work left after a time slice is called for
again, behind the jobs of other clubs; each club has one waiting call, however many files it
imports."""

from contextlib import suppress
from typing import Final

from celery import shared_task

from league.core.jobs import SLICE_SECONDS, TimeSlice, call
from league.core.locks import Busy
from league.core.sql import changed_tables_analyse
from league.records.upload.services import import_job_preview, imports_run, imports_waiting

GLANCE_SECONDS: Final = 0.3
"""The longest that a small file may hold up results; the rest of it joins the large ones."""


@shared_task(ignore_result=True)
def preview_import(job_id: int) -> None:
    """Preview a small file; do nothing if it was previewed, confirmed or dropped before."""
    _preview_then_continue(job_id, TimeSlice(GLANCE_SECONDS))


@shared_task(ignore_result=True)
def preview_large(job_id: int) -> None:
    """Preview a large file, for a time slice."""
    _preview_then_continue(job_id, TimeSlice(SLICE_SECONDS))


@shared_task(ignore_result=True)
def run_imports(club_id: int) -> None:
    """Import a club's confirmed files for a time slice; a killed import resumes where it
    stopped."""
    if imports_run(club_id=club_id, time_slice=TimeSlice(SLICE_SECONDS)):
        call("records.upload.tasks.run_imports", club_id)
    else:
        changed_tables_analyse()


@shared_task(ignore_result=True)
def sweep_imports() -> None:
    """Call jobs again for files whose call was lost."""
    for job, row_id in imports_waiting():
        call(job, row_id)


def _preview_then_continue(job_id: int, time_slice: TimeSlice) -> None:
    """Preview a file for a time slice. If something is left, queue a task that goes on with it."""
    with suppress(Busy):  # Another worker has the file.
        is_unfinished = import_job_preview(job_id=job_id, time_slice=time_slice)
        if is_unfinished:
            call("records.upload.tasks.preview_large", job_id)
