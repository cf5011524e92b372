"""The reminders that are due, and the accounts that get them."""

from __future__ import annotations

from datetime import datetime
from typing import Final, NamedTuple

from django.db.models import Exists, OuterRef, Q, QuerySet

from games.models import Game
from league.core.member.models.member import Role
from league.disputes.appeal.models import Appeal, AppealDraft
from league.disputes.appeal.queries import earlier_rulers
from league.disputes.arbiter.queries import agreed_arbiters, holders_of, rulers_of
from league.disputes.hearing.models import Hearing
from league.disputes.objection.models import Objection
from league.disputes.objection.queries.objection import objection_rows
from league.disputes.reminder.models import CaseReminder, DisputeCase

MOST: Final = 200
"""The most reminders that one sweep takes; the next sweep takes the following ones."""
CASES: Final = (
    "objection__game__season_game__season__club",
    "hearing__game__season_game__season__club",
    "appeal__ruling__outcome__season_game__season__club",
)
"""The lookup paths from a reminder to its case, with game, season and club."""


class Audience(NamedTuple):
    """The accounts that are told that a case waits.

    `agreed`: those among them on whom all seats agreed. `is_stuck`: too few people of the club can
    decide the case, so its organisers are told to invite somebody from outside. `is_drafted`: a
    first arbiter has drafted the decision of an appeal, and a second one has to agree."""

    accounts: list[int]
    agreed: set[int]
    is_stuck: bool
    is_drafted: bool


def reminders_due(at: datetime) -> list[int]:
    """Return the row ids of the reminders that are due, at most `MOST`, the longest due first. An
    index finds them."""
    due = CaseReminder.objects.filter(next_at__lte=at).order_by("next_at", "pk")
    return list(due.values_list("pk", flat=True)[:MOST])


def reminder_of(reminder_id: int) -> CaseReminder | None:
    """Return a reminder with its case, game, season and club; None if there is none."""
    return CaseReminder.objects.select_related(*CASES).filter(pk=reminder_id).first()


def reminder_held(reminder_id: int) -> CaseReminder:
    """Return a reminder with its case, and lock it until the transaction ends."""
    reminders = CaseReminder.objects.select_for_update(of=("self",)).select_related(*CASES)
    return reminders.get(pk=reminder_id)


def still_waits(reminder: CaseReminder) -> bool:
    """Return True if nobody has decided the case of a reminder, and it wasn't withdrawn. One
    query."""
    return _open_reminders().filter(pk=reminder.pk).exists()


def open_case(kind: str, public_id: str) -> CaseReminder | None:
    """Return the reminder of a case by the kind and public id of the case, with game, season and
    club; None if the case has ended."""
    reminders = _open_reminders().select_related(*CASES)
    return reminders.filter(**{f"{kind}__public_id": public_id}).first()


def players_at_seat(objection: Objection) -> list[str]:
    """Return a list with the public id of the player at the seat of an objection; empty if the seat
    has no player. One query."""
    row = objection_rows(Objection.objects.filter(pk=objection.pk)).get()
    return [row["player"]] if row["player"] else []


def audience_of(reminder: CaseReminder, *, late: bool) -> Audience:
    """Return the accounts to remind of an open case, loaded with game and season.

    The case can be decided by arbiters and organisers who took no part in the game and didn't make
    the appealed ruling, and by the arbiter on whom all seats agreed. If it is `late`, all of them
    are told. Before that, only the arbiter who opened the hearing is told, or else the arbiter on
    whom the seats agreed; without either, all of them but the account that raised the case. If too
    few accounts can decide the case, the organisers are told instead."""
    case = reminder.case
    game = reminder.game
    ruled_by: set[int] = set()
    arbiters_needed = 1
    if isinstance(case, Appeal):
        ruled_by = earlier_rulers(case.ruling)
        arbiters_needed = 2
    able = {user.pk for user in rulers_of(game, ruled_by)}
    agreed = agreed_arbiters(game, ruled_by)
    drafters = _drafters(case)
    is_stuck = not agreed and len(able | drafters) < arbiters_needed

    if len(drafters) == 1:
        able -= drafters  # somebody else has to agree with the only draft
    if is_stuck:
        accounts = set(holders_of(game, (Role.ORGANISER,)).values_list("pk", flat=True))
    elif late:
        accounts = able | agreed
    else:
        accounts = _told_first(case, able, agreed)
    return Audience(sorted(accounts), agreed, is_stuck, bool(drafters))


def _told_first(case: DisputeCase, able: set[int], agreed: set[int]) -> set[int]:
    """Return the accounts that are told before a case is late. `able`: those of the club that can
    decide the case; `agreed`: those on whom all seats agreed."""
    if isinstance(case, Hearing):
        opener = case.opened_by_id
        if opener is not None and opener in able | agreed:
            return {opener}
        return agreed or able
    return agreed or able - {case.raised_by_id}


def _drafters(case: DisputeCase) -> set[int]:
    if not isinstance(case, Appeal):
        return set()
    return set(AppealDraft.objects.filter(appeal=case).values_list("author", flat=True))


def _open_reminders() -> QuerySet[CaseReminder]:
    # A hearing about a revision that was corrected meanwhile isn't open any more.
    is_replaced = Exists(Game.objects.filter(replaces=OuterRef("hearing__game")))
    objections = Q(objection__isnull=False, objection__end=None)
    hearings = Q(hearing__isnull=False, hearing__ruling=None) & ~Q(is_replaced)
    appeals = Q(appeal__isnull=False, appeal__end=None)
    return CaseReminder.objects.filter(objections | hearings | appeals)
