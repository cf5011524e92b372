"""Celery jobs of uploaded files: each takes an id and is safe to run twice, late or in any order.

A file that another worker has is left to that one. What isn't done after a stint is called for again, behind the jobs
of other clubs; of each club one call waits, however many files it imports.
"""

from celery import shared_task

from league.records.photo.services.photo import photos_forget


@shared_task(ignore_result=True)
def forget_photos() -> None:
    """Remove the pictures of sheets that are old enough; a run that was lost leaves them to the next."""
    photos_forget()
