"""What happens by itself with a game that waits for somebody's word: a reminder and, if its event
says so, the seal."""

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
    """Seal a game that has waited as long as its event says; else remind those who can give the
    word, once. True if something was done: twice, late or in any order it comes to the same."""
    row = sheets_waiting().filter(pk=open_game_id).first()
    if row is None:
        return False
    if is_seal_due(row, timezone.now()):
        try:
            return (
                open_game_seal(row=row, length=row.open_game.sheet.length, writer=BY_TIME)
                is not None
            )
        except (Refused, Overtaken):
            return False  # somebody wrote on, or the table was taken back
    # Whoever else reminds has done so by now.
    with club_journal(row.table.stage_round.stage.event.club_id, Actor(), alone=True) as journal:
        row = sheets_waiting().filter(pk=open_game_id).first()
        is_due = row is not None and is_reminder_due(row, journal.at)
        if row is not None and is_due:
            journal.add(
                SheetAction.REMINDED, row.open_game.public_id, {"table": row.table.public_id}
            )
    return is_due
