"""The job that forgets invitations."""

from celery import shared_task

from league.core.member.services.invitation import invitations_forget


@shared_task(ignore_result=True)
def forget_invitations() -> None:
    """Forget the invitations, and with them the addresses, that nobody accepted in time."""
    invitations_forget()
