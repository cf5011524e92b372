"""The jobs of sheets. Each can run twice, late and in any order."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from league.core.jobs import call
from league.sheets.confirmation.queries.deadline import sheets_due
from league.sheets.confirmation.services.deadline import sheet_settle


@shared_task(ignore_result=True)
def settle_sheet(open_game_id: int) -> None:
    """Seal a game that nobody has confirmed in time, or remind those who can confirm it."""
    sheet_settle(open_game_id=open_game_id)


@shared_task(ignore_result=True)
def sweep_sheets() -> None:
    """Queue a job for each game that is to be sealed or reminded of. The next sweep finds those
    whose job was lost."""
    for open_game_id in sheets_due(timezone.now()):
        call("sheets.confirmation.tasks.settle_sheet", open_game_id)
