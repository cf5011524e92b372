"""The job of online tables: it can run twice, late and in any order."""

from celery import shared_task

from league.play.online_table.services.table import tables_end


@shared_task(ignore_result=True)
def end_tables() -> None:
    """End the tables that everybody has left."""
    tables_end()
