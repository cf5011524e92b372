"""Reminders of objections on which nobody has ruled. A deadline reminds and escalates; it never
decides."""

from __future__ import annotations

from datetime import datetime

from django.utils import timezone

from league.core.log.services import Actor, club_journal
from league.disputes.objection.models import Objection
from league.disputes.reminder.domain import ESCALATE_AFTER, REMIND_AFTER, wait_of
from league.disputes.reminder.models import ObjectionReminder
from league.disputes.reminder.queries import reminder_held
from league.standings.ranked_game.actions import ObjectionAction
from league.standings.season.models import CLUB_OF_GAME


def reminder_begin(*, objection: Objection) -> None:
    """Write when people are reminded of an objection, in the transaction that raises it."""
    ObjectionReminder.objects.create(
        objection=objection, next_at=objection.raised_at + REMIND_AFTER
    )


def reminder_end(*, objection: Objection) -> None:
    """Let nobody be told of an objection any more, in the transaction that ends it."""
    ObjectionReminder.objects.filter(objection=objection).update(next_at=None)


def objection_remind(*, objection_id: int) -> bool:
    """Let the club's log say that an objection, given by row id, still waits, which makes the
    notices; False: nothing is due.

    After three days it reminds those who were told first, after seven it tells all arbiters and
    organisers. An objection whose first reminder would come that late is told to all at once. The
    log's end is held, so nobody ends the objection meanwhile, and another job finds that it was
    told."""
    club_id = Objection.objects.values_list(f"game__{CLUB_OF_GAME}", flat=True).get(pk=objection_id)
    with club_journal(club_id, Actor(), alone=True) as journal:
        now = timezone.now()
        reminder = reminder_held(objection_id)
        if reminder is None or reminder.next_at is None or now < reminder.next_at:
            return False
        objection = reminder.objection
        wait = wait_of(objection.raised_at, now)
        action = ObjectionAction.ESCALATED if wait.overdue else ObjectionAction.REMINDED
        details = {"objection": objection.public_id, "seat": objection.seat, "days": wait.days}
        journal.add(action, objection.game.public_id, details)
        _write(reminder, action, now)
    return True


def _write(reminder: ObjectionReminder, action: ObjectionAction, at: datetime) -> None:
    """Store what was told, and when something is to be told next."""
    if action == ObjectionAction.ESCALATED:
        reminder.escalated_at = at
        reminder.next_at = None
    else:
        reminder.reminded_at = at
        reminder.next_at = reminder.objection.raised_at + ESCALATE_AFTER
    reminder.save()
