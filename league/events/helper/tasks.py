"""The job that forgets the invitations of helpers."""

from __future__ import annotations

from celery import shared_task

from league.events.helper.services import helper_invitations_forget


@shared_task(ignore_result=True)
def forget_helper_invitations() -> None:
    """Forget the invitations, and with them the addresses, that nobody accepted in time; run late,
    it forgets late."""
    helper_invitations_forget()
