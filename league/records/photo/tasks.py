"""The job that forgets old photos."""

from celery import shared_task

from league.records.photo.services.photo import photos_forget


@shared_task(ignore_result=True)
def forget_photos() -> None:
    """Remove the pictures of sheets that are old enough. If a run is lost, the next one removes
    them."""
    photos_forget()
