"""Celery jobs of uploaded files: each takes an id and is safe to run twice, late or in any order.

A file that another worker has is left to that one. What isn't done after a time slice is called for
again, behind the jobs of other clubs; of each club one call waits, however many files it imports.
"""

from contextlib import suppress
from typing import Final

from celery import shared_task

from league.core.jobs import SLICE_SECONDS, TimeSlice, call
from league.core.locks import Busy
from league.records.upload.services import import_job_preview, imports_run, imports_waiting

GLANCE_SECONDS: Final = 0.3
"""The longest that a small file may hold up results; what is left of it joins the large ones."""


@shared_task(ignore_result=True)
def preview_import(job_id: int) -> None:
    """Work out what a small file would do; nothing for one that is worked out, confirmed or
    dropped."""
    _preview(job_id, TimeSlice(GLANCE_SECONDS))


@shared_task(ignore_result=True)
def preview_large(job_id: int) -> None:
    """Work out what a large file would do, for a time slice."""
    _preview(job_id, TimeSlice(SLICE_SECONDS))


@shared_task(ignore_result=True)
def run_imports(club_id: int) -> None:
    """Import a club's confirmed files for a time slice; one that died goes on where it stopped."""
    if imports_run(club_id=club_id, time_slice=TimeSlice(SLICE_SECONDS)):
        call("records.upload.tasks.run_imports", club_id)


@shared_task(ignore_result=True)
def sweep_imports() -> None:
    """Find files whose call was lost, and call again."""
    for job, row_id in imports_waiting():
        call(job, row_id)


def _preview(job_id: int, time_slice: TimeSlice) -> None:
    with suppress(Busy):
        if import_job_preview(job_id=job_id, time_slice=time_slice):
            call("records.upload.tasks.preview_large", job_id)
