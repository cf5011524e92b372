"""The job that forgets what entries by mail, and phones that asked for a name, leave behind."""

from __future__ import annotations

from celery import shared_task

from league.events.entry.services.self_entry import entries_by_mail_forget
from league.events.wall_list.services import claim_requests_forget


@shared_task(ignore_result=True)
def forget_entries_by_mail() -> None:
    """Forget the addresses of those who entered by mail, and which phones asked for a name, once
    nothing needs them; run late, it forgets them late."""
    entries_by_mail_forget()
    claim_requests_forget()
