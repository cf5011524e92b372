"""The reminders that are due, and the people who get them."""

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
"""So many cases are looked after at a time; the next call takes those behind them."""
CASES: Final = (
    "objection__game__season_game__season__club",
    "hearing__game__season_game__season__club",
    "appeal__ruling__outcome__season_game__season__club",
)
"""The ways from a reminder to its case, with game, season and club."""


class Audience(NamedTuple):
    """The accounts that are told that a case waits; `agreed`: those of them on whom all seats
    agreed.

    `is_stuck`: too few of the club can decide the case, so its organisers are told to invite
    somebody from outside. `is_drafted`: a first arbiter has drafted the decision of an appeal, and
    a second one has to agree."""

    accounts: list[int]
    agreed: set[int]
    is_stuck: bool
    is_drafted: bool


def reminders_due(at: datetime) -> list[int]:
    """Read the reminders, by row id, of which somebody is to be told now, the longest due first. By
    an index."""
    due = CaseReminder.objects.filter(next_at__lte=at).order_by("next_at", "pk")
    return list(due.values_list("pk", flat=True)[:MOST])


def reminder_of(reminder_id: int) -> CaseReminder | None:
    """Read a reminder with its case, game, season and club; None if there is none."""
    return CaseReminder.objects.select_related(*CASES).filter(pk=reminder_id).first()


def reminder_held(reminder_id: int) -> CaseReminder:
    """Read a reminder with its case, and hold it until the transaction ends."""
    return (
        CaseReminder.objects.select_for_update(of=("self",))
        .select_related(*CASES)
        .get(pk=reminder_id)
    )


def still_waits(reminder: CaseReminder) -> bool:
    """Return True if nobody has decided the case of a reminder, and it wasn't withdrawn. One
    query."""
    return _open_reminders().filter(pk=reminder.pk).exists()


def open_case(kind: str, public_id: str) -> CaseReminder | None:
    """Read the reminder of a case by the public id of the case, with game, season and club; None if
    it has ended."""
    return (
        _open_reminders().select_related(*CASES).filter(**{f"{kind}__public_id": public_id}).first()
    )


def players_at_seat(objection: Objection) -> list[str]:
    """Read who sits at the seat of an objection now, by public id: one player, or nobody. One
    query."""
    row = objection_rows(Objection.objects.filter(pk=objection.pk)).get()
    return [row["player"]] if row["player"] else []


def audience_of(reminder: CaseReminder, *, late: bool) -> Audience:
    """Return who is told that an open case waits, which comes with game and season.

    Those who can decide it: arbiters and organisers who took no part in the game and didn't make
    the ruling that is appealed, and the arbiter on whom all seats agreed. When it is `late`, all of
    them are told. Before, the arbiter who opened the hearing, or the one on whom the seats agreed,
    is told alone, and whoever raised the case isn't."""
    case, game = reminder.case, reminder.game
    ruled_by = earlier_rulers(case.ruling) if isinstance(case, Appeal) else set()
    able = {user.pk for user in rulers_of(game, ruled_by)}
    agreed = agreed_arbiters(game, ruled_by)
    drafters = _drafters(case)
    needed = 2 if isinstance(case, Appeal) else 1
    is_stuck = not agreed and len(able | drafters) < needed
    if is_stuck:
        accounts = set(holders_of(game, (Role.ORGANISER,)).values_list("pk", flat=True))
    elif late:
        accounts = _without_drafter(able, drafters) | agreed
    else:
        accounts = _first(case, _without_drafter(able, drafters), agreed)
    return Audience(sorted(accounts), agreed, is_stuck, bool(drafters))


def _first(case: DisputeCase, able: set[int], agreed: set[int]) -> set[int]:
    """The accounts that are reminded before a case is late."""
    if isinstance(case, Hearing):
        opener = {case.opened_by_id} & (able | agreed)
        return {account for account in opener if account is not None} or agreed or able
    return agreed or able - {case.raised_by_id}


def _drafters(case: DisputeCase) -> set[int]:
    """The arbiters who drafted a decision of an appeal."""
    if not isinstance(case, Appeal):
        return set()
    return set(AppealDraft.objects.filter(appeal=case).values_list("author", flat=True))


def _without_drafter(able: set[int], drafters: set[int]) -> set[int]:
    """Leave out the arbiter of the only draft: somebody else has to agree with it."""
    return able - drafters if len(drafters) == 1 else able


def _open_reminders() -> QuerySet[CaseReminder]:
    """The reminders of cases that are open. Of a game that was corrected only the newest revision
    is heard."""
    replaced = Exists(Game.objects.filter(replaces=OuterRef("hearing__game")))
    objections = Q(objection__isnull=False, objection__end=None)
    hearings = Q(hearing__isnull=False, hearing__ruling=None) & ~Q(replaced)
    appeals = Q(appeal__isnull=False, appeal__end=None)
    return CaseReminder.objects.filter(objections | hearings | appeals)
