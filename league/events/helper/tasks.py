"""The job that deletes expired invitations of helpers."""

from __future__ import annotations

from celery import shared_task

from league.events.helper.services import helper_invitations_forget


@shared_task(ignore_result=True)
def forget_helper_invitations() -> None:
    """Delete the invitations, with their addresses, that weren't accepted in time."""
    helper_invitations_forget()
