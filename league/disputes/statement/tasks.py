"""The job that removes what was said about games whose dispute is long over."""

from celery import shared_task

from league.disputes.statement.services.removal import old_statements_forget


@shared_task(ignore_result=True)
def forget_statements() -> None:
    """Remove words and files that have been kept for long enough; a run that was lost leaves them
    to the next."""
    old_statements_forget()
