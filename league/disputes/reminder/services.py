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
    """The log's actions for one kind of case: people were reminded, and everybody was told."""

    reminded: Action
    escalated: Action


ACTIONS: Final[Mapping[str, ReminderActions]] = MappingProxyType(
    {
        "objection": ReminderActions(ObjectionAction.REMINDED, ObjectionAction.ESCALATED),
        "hearing": ReminderActions(HearingAction.REMINDED, HearingAction.ESCALATED),
        "appeal": ReminderActions(AppealAction.REMINDED, AppealAction.ESCALATED),
    }
)
"""The log's actions for a case that waits, by its kind."""


def reminder_begin(*, case: DisputeCase, since: datetime) -> None:
    """Store when people are to be reminded of a case, in the transaction that begins it."""
    CaseReminder.objects.create(**{kind_of(case): case}, since=since, next_at=since + REMIND_AFTER)


def reminder_end(*, case: DisputeCase) -> None:
    """Stop the reminders of a case, in the transaction that ends it."""
    CaseReminder.objects.filter(**{kind_of(case): case}).update(next_at=None)


def case_remind(*, reminder_id: int) -> bool:
    """Log that a case still waits, by the row id of its reminder; the log's entry makes the
    notices. Return False if no reminder is due.

    After three days the accounts that were told first are reminded, after seven days everybody who
    can decide the case is told, even if the first reminder is only due then. The log's lock keeps
    others from ending the case meanwhile, and a second job from reminding again."""
    unlocked_reminder = reminder_of(reminder_id)
    if unlocked_reminder is None:
        return False
    club_id = unlocked_reminder.game.season_game.season.club_id
    with club_journal(club_id, Actor(), alone=True) as journal:
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
        _store(reminder, now, late=wait.overdue)
    return True


def _details(reminder: CaseReminder, days: int) -> dict[str, Any]:
    case = reminder.case
    details: dict[str, Any] = {reminder.kind: case.public_id}
    if not isinstance(case, Hearing):
        details["seat"] = case.seat
    details["days"] = days
    return details


def _store(reminder: CaseReminder, at: datetime, *, late: bool) -> None:
    if late:
        reminder.escalated_at = at
        reminder.next_at = None
    else:
        reminder.reminded_at = at
        reminder.next_at = reminder.since + ESCALATE_AFTER
    reminder.save()
