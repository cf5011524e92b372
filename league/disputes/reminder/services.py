"""Reminders of cases that nobody has decided. A deadline reminds and escalates; it never
decides."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from django.utils import timezone

from league.core.log.actions import Action
from league.core.log.services import Actor, club_journal
from league.disputes.appeal.actions import AppealAction
from league.disputes.hearing.actions import HearingAction
from league.disputes.hearing.models import Hearing
from league.disputes.reminder.domain import ESCALATE_AFTER, REMIND_AFTER, wait_of
from league.disputes.reminder.models import CaseReminder, DisputeCase, kind_of
from league.disputes.reminder.queries import reminder_held, reminder_of, still_waits
from league.standings.ranked_game.actions import ObjectionAction


class ReminderActions(NamedTuple):
    """What the log tells of one kind of case: that people were reminded, and that all were told."""

    reminded: Action
    escalated: Action


ACTIONS: Final[Mapping[str, ReminderActions]] = MappingProxyType(
    {
        "objection": ReminderActions(ObjectionAction.REMINDED, ObjectionAction.ESCALATED),
        "hearing": ReminderActions(HearingAction.REMINDED, HearingAction.ESCALATED),
        "appeal": ReminderActions(AppealAction.REMINDED, AppealAction.ESCALATED),
    }
)
"""What the log tells of a case that waits, by its kind."""


def reminder_begin(*, case: DisputeCase, since: datetime) -> None:
    """Write when people are reminded of a case, in the transaction that begins it."""
    CaseReminder.objects.create(**{kind_of(case): case}, since=since, next_at=since + REMIND_AFTER)


def reminder_end(*, case: DisputeCase) -> None:
    """Let nobody be told of a case any more, in the transaction that ends it."""
    CaseReminder.objects.filter(**{kind_of(case): case}).update(next_at=None)


def case_remind(*, reminder_id: int) -> bool:
    """Let the club's log say that a case still waits, given by the row id of its reminder, which
    makes the notices; False: nothing is due.

    After three days it reminds those who were told first, after seven it tells all who can decide.
    A case whose first reminder would come that late is told to all at once. The log's end is held,
    so nobody ends the case meanwhile, and another job finds that it was told."""
    found = reminder_of(reminder_id)
    if found is None:
        return False
    with club_journal(found.game.season_game.season.club_id, Actor(), alone=True) as journal:
        now = timezone.now()
        reminder = reminder_held(reminder_id)
        if reminder.next_at is None or now < reminder.next_at:
            return False
        if not still_waits(reminder):
            reminder_end(case=reminder.case)
            return False
        wait = wait_of(reminder.since, now)
        actions = ACTIONS[reminder.kind]
        action = actions.escalated if wait.overdue else actions.reminded
        journal.add(action, reminder.game.public_id, _details(reminder, wait.days))
        _write(reminder, now, late=wait.overdue)
    return True


def _details(reminder: CaseReminder, days: int) -> dict[str, Any]:
    """What the log tells of a case that waits."""
    case = reminder.case
    details: dict[str, Any] = {reminder.kind: case.public_id}
    if not isinstance(case, Hearing):
        details["seat"] = case.seat
    return {**details, "days": days}


def _write(reminder: CaseReminder, at: datetime, *, late: bool) -> None:
    """Store what was told, and when something is to be told next."""
    if late:
        reminder.escalated_at = at
        reminder.next_at = None
    else:
        reminder.reminded_at = at
        reminder.next_at = reminder.since + ESCALATE_AFTER
    reminder.save()
