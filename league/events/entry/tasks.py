"""The job that deletes old requests to enter by mail, and old requests of phones for a name."""

from __future__ import annotations

from celery import shared_task

from league.events.entry.services.self_entry import entries_by_mail_forget
from league.events.wall_list.services import claim_requests_forget


@shared_task(ignore_result=True)
def forget_entries_by_mail() -> None:
    """Delete the mail addresses of entries and the requests of phones once they are no longer
    needed.
    """
    entries_by_mail_forget()
    claim_requests_forget()
