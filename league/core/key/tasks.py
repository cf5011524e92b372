"""The Celery job that deletes old answers of the API."""

from celery import shared_task

from league.core.key.services.idempotency import keys_forget


@shared_task(ignore_result=True)
def forget_keys() -> None:
    """Delete the API's answers that nobody will request again."""
    keys_forget()
