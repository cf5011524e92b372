"""Celery jobs of clubs: each takes an id or nothing, calls a service, and is safe to run twice, late or in any order.

Who forgets something forgets late what a run that was lost would have forgotten.
"""

from celery import shared_task

from league.core.member.services.invitation import invitations_forget


@shared_task(ignore_result=True)
def forget_invitations() -> None:
    """Forget the invitations, and with them the addresses, that nobody accepted in time."""
    invitations_forget()
