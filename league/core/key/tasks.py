"""The Celery job that deletes old answers of the API."""

from celery import shared_task

from league.core.key.services.idempotency import keys_forget


@shared_task(ignore_result=True)
def forget_keys() -> None:
    """Delete the API's stored answers that are too old to be requested again."""
    keys_forget()
