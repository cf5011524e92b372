"""What the service does about a game that waits for its confirmation: it sends a reminder and, if
the event says so, seals the game."""

from __future__ import annotations

from django.utils import timezone

from engine.illegal import Refused
from games.services.open_game import Overtaken
from league.core.log.services import Actor, club_journal
from league.sheets.confirmation.queries.deadline import is_reminder_due, is_seal_due, sheets_waiting
from league.sheets.device.domain.writer import BY_TIME
from league.sheets.sheet.actions import SheetAction
from league.sheets.sheet.services.open_game import open_game_seal


def sheet_settle(*, open_game_id: int) -> bool:
    """Seal a finished game that has waited for a confirmation as long as its event says; else
    remind, once, those who can confirm it. Return True if anything was done. Idempotent."""
    row = sheets_waiting().filter(pk=open_game_id).first()
    if row is None:
        return False
    if is_seal_due(row, timezone.now()):
        try:
            game = open_game_seal(row=row, length=row.open_game.sheet.length, writer=BY_TIME)
        except (Refused, Overtaken):
            return False  # Somebody wrote on, or the table was taken back.
        return game is not None
    # This waits for the lock of the club's log. Another job may have reminded meanwhile, so the
    # game is read again.
    with club_journal(
        row.table.stage_round.stage.event.club_id, Actor(), lock_at_once=True
    ) as journal:
        row = sheets_waiting().filter(pk=open_game_id).first()
        is_due = row is not None and is_reminder_due(row, journal.at)
        if row is not None and is_due:
            journal.add(
                SheetAction.REMINDED, row.open_game.public_id, {"table": row.table.public_id}
            )
    return is_due
