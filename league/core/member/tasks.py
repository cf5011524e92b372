"""The Celery job that deletes invitations."""

from celery import shared_task

from league.core.member.services.invitation import invitations_forget


@shared_task(ignore_result=True)
def forget_invitations() -> None:
    """Delete expired invitations, and the addresses with them."""
    invitations_forget()
