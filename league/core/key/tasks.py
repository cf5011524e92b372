"""The job that forgets API keys and answers that were kept."""

from celery import shared_task

from league.core.key.services.idempotency import keys_forget


@shared_task(ignore_result=True)
def forget_keys() -> None:
    """Forget the API's answers that nobody will ask for again."""
    keys_forget()
