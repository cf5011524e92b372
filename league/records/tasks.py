"""Celery jobs of uploaded files: each takes an id and is safe to run twice, late or in any order.

A file that another worker has is left to that one.
"""

from contextlib import suppress

from celery import shared_task

from league.locks import Busy
from league.records.models import ImportJob
from league.records.services.upload import import_job_preview, import_job_run, import_jobs_waiting


@shared_task(ignore_result=True)
def preview_import(job_id: int) -> None:
    """Work out what an uploaded file would do; nothing for one that is worked out, confirmed or dropped."""
    with suppress(Busy):
        import_job_preview(job_id=job_id)


@shared_task(ignore_result=True)
def run_import(job_id: int) -> None:
    """Import a confirmed file for one turn, and call for the next; it goes on where a run that died stopped."""
    with suppress(Busy):
        if import_job_run(job_id=job_id):
            run_import.delay(job_id)


@shared_task(ignore_result=True)
def sweep_imports() -> None:
    """Find files whose call was lost, and call again."""
    for job_id, state in import_jobs_waiting():
        (preview_import if state == ImportJob.State.UPLOADED else run_import).delay(job_id)
