"""Calling jobs: what a job will do is a committed row already; the call is only a nudge."""

from functools import partial

from django.db import transaction

from league.celery_app import app


def call_on_commit(job: str, row_id: int) -> None:
    """Call a job (`<area>.tasks.<name>`) with a row's id once the transaction is committed.

    Where the broker is away the call is lost, the failure logged, and the sweep finds the row later.
    """
    call = partial(app.send_task, f"league.{job}", args=[row_id], retry=False)
    transaction.on_commit(call, robust=True)
