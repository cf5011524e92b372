"""Celery jobs of clubs."""

from celery import shared_task

from league.clubs.services.idempotency import keys_forget
from league.clubs.services.invitation import invitations_forget


@shared_task(ignore_result=True)
def forget_keys() -> None:
    """Forget the API's answers that nobody will ask for again."""
    keys_forget()


@shared_task(ignore_result=True)
def forget_invitations() -> None:
    """Forget the invitations, and with them the addresses, that nobody accepted in time."""
    invitations_forget()
