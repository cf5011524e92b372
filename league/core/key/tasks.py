"""Celery jobs of clubs: each takes an id or nothing, calls a service, and is safe to run twice, late or in any order.

Who forgets something forgets late what a run that was lost would have forgotten.
"""

from celery import shared_task

from league.core.key.services.idempotency import keys_forget


@shared_task(ignore_result=True)
def forget_keys() -> None:
    """Forget the API's answers that nobody will ask for again."""
    keys_forget()
