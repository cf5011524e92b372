"""Games that are written down to their end and wait for somebody's word: until when, and if anybody was reminded."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.db.models import QuerySet

from league.events.models import Event
from league.log.models import LogEntry
from league.sheets.actions import SheetAction
from league.sheets.models import TableOpenGame
from league.sheets.queries.access import TABLE
from league.tables.models import StageRound

REMINDED_AFTER: Final = timedelta(minutes=5)
EVENT: Final = "table__stage_round__stage__event"


def sheets_waiting() -> QuerySet[TableOpenGame]:
    """The open games that are over and not sealed, of tables that are played, where another than the writer gives the
    word."""
    return TableOpenGame.objects.select_related("open_game__sheet", "submission", *TABLE).filter(
        **{f"{EVENT}__status": Event.Status.RUNNING, f"{EVENT}__confirmation__in": Event.Confirmer.values[1:]},
        open_game__sheet__over=True,
        open_game__sheet__sealed=None,
        table__finished=False,
        table__stage_round__status=StageRound.Status.PUBLISHED,
    )


def counts_by_itself_at(row: TableOpenGame) -> datetime | None:
    """The time at which a game that is over is sealed without anybody's word; None if its event sets no time, and where
    two write it down unseen."""
    event, heard_at = row.table.stage_round.stage.event, row.open_game.sheet.heard_at
    if heard_at is None or not event.confirmation_minutes or row.concealed:
        return None
    return heard_at + timedelta(minutes=event.confirmation_minutes)


def is_seal_due(row: TableOpenGame, at: datetime) -> bool:
    """True if a game is sealed by time now."""
    until = counts_by_itself_at(row)
    return until is not None and until <= at


def is_reminder_due(row: TableOpenGame, at: datetime) -> bool:
    """True if those whose word is missing are to be reminded now, which is done once. One query."""
    heard_at = row.open_game.sheet.heard_at
    if heard_at is None or heard_at + REMINDED_AFTER > at:
        return False
    reminders = LogEntry.objects.filter(action=SheetAction.REMINDED, subject=row.open_game.public_id)
    return not reminders.filter(club=row.table.stage_round.stage.event.club_id).exists()


def sheets_due(at: datetime) -> list[int]:
    """The open games, by row id, that are sealed by time now, or of which somebody is to be reminded."""
    return [row.pk for row in sheets_waiting() if is_seal_due(row, at) or is_reminder_due(row, at)]
