"""The jobs of online tables: each can run twice, late and in any order."""

from celery import shared_task

from league.play.online_table.services.game import turns_end
from league.play.online_table.services.table import tables_end


@shared_task(ignore_result=True)
def end_tables() -> None:
    """End the tables that everybody has left."""
    tables_end()


@shared_task(ignore_result=True)
def end_turns() -> None:
    """End the turns of counted games whose time and grace are over."""
    turns_end()
