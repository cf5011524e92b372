"""The job that removes statements about games whose dispute is long over."""

from celery import shared_task

from league.disputes.statement.services.removal import old_statements_forget


@shared_task(ignore_result=True)
def forget_statements() -> None:
    """Remove the words and files that have been kept long enough. If a run is lost, the next one
    removes them."""
    old_statements_forget()
