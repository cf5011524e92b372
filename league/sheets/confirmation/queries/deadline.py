"""Finished games that wait for a confirmation: until when they wait, and when to remind of them."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.db.models import Exists, OuterRef, QuerySet

from league.core.log.models import LogEntry
from league.events.event.models import Event
from league.sheets.sheet.actions import SheetAction
from league.sheets.sheet.models import TableOpenGame
from league.sheets.sheet.queries.access import TABLE
from league.stages.round.models import StageRound

REMINDED_AFTER: Final = timedelta(minutes=5)
"""How long a game waits for its confirmation before the service reminds of it."""
EVENT: Final = "table__stage_round__stage__event"


def sheets_waiting() -> QuerySet[TableOpenGame]:
    """Return the finished, unsealed games at tables in play that somebody other than the writer has
    to confirm, each with whether a reminder was sent (`reminded`). One query."""
    reminders = LogEntry.objects.filter(
        action=SheetAction.REMINDED,
        club=OuterRef(f"{EVENT}__club"),
        subject=OuterRef("open_game__public_id"),
    ).exclude(subject="")  # The index on subjects has this condition.
    rows = TableOpenGame.objects.select_related("open_game__sheet", "submission", *TABLE)
    others_confirm = [
        confirmer for confirmer in Event.Confirmer.values if confirmer != Event.Confirmer.ALONE
    ]
    return rows.annotate(reminded=Exists(reminders)).filter(
        **{
            f"{EVENT}__status": Event.Status.RUNNING,
            f"{EVENT}__confirmation__in": others_confirm,
        },
        open_game__sheet__over=True,
        open_game__sheet__sealed=None,
        table__finished=False,
        table__stage_round__status=StageRound.Status.PUBLISHED,
    )


def counts_by_itself_at(row: TableOpenGame) -> datetime | None:
    """Return the time at which a finished game is sealed without a confirmation; None if its event
    sets no time, or while its sheet is concealed."""
    event = row.table.stage_round.stage.event
    heard_at = row.open_game.sheet.heard_at
    if heard_at is None or not event.confirmation_minutes or row.concealed:
        return None
    return heard_at + timedelta(minutes=event.confirmation_minutes)


def is_seal_due(row: TableOpenGame, at: datetime) -> bool:
    """Return True if it is time to seal a game without a confirmation."""
    until = counts_by_itself_at(row)
    return until is not None and until <= at


def is_reminder_due(row: TableOpenGame, at: datetime) -> bool:
    """Return True if it is time to remind those who can confirm a game, which happens once. `row`:
    the open game, from `sheets_waiting`, which knows whether a reminder was sent."""
    heard_at = row.open_game.sheet.heard_at
    reminded = getattr(row, "reminded", True)
    return not reminded and heard_at is not None and heard_at + REMINDED_AFTER <= at


def sheets_due(at: datetime) -> list[int]:
    """Return the row ids of the open games that are to be sealed without a confirmation, or
    reminded of, at a time."""
    return [row.pk for row in sheets_waiting() if is_seal_due(row, at) or is_reminder_due(row, at)]
