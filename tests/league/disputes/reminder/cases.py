"""The three kinds of case that wait, as tests of reminders begin and end them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Final
from unittest.mock import patch
from uuid import uuid4

from django.utils import timezone

from engine.record.write import write
from games.models import Game
from games.queries.game import sealed_record
from league.core.log.services import Actor
from league.disputes.appeal.services import (
    appeal_decide,
    appeal_draft,
    appeal_raise,
    appeal_withdraw,
)
from league.disputes.correction.services import game_correct
from league.disputes.hearing.services import hearing_open
from league.disputes.objection.services import objection_raise, objection_withdraw
from league.disputes.reminder.models import DisputeCase
from league.disputes.reminder.queries import reminders_due
from league.disputes.reminder.services import case_remind
from league.disputes.ruling.domain import RulingDecision
from league.models import Appeal, AppealDraft, CaseReminder, Hearing, Notice, Objection, Role, User
from league.stages.result.services.void import game_void_add
from tests.factories import notices
from tests.factories.league import MembershipFactory, UserFactory
from tests.league.disputes.ruling.rulings import FINDING, Verb, ruled

Occasion = Notice.Occasion
WORD: Final = "The last die was a star."
WHY: Final = Actor(reason="Both cups were counted twice.")


@dataclass(frozen=True, slots=True)
class CaseLaws:
    """What tests know about a kind of case. `begin`: begins one, with an arbiter to open or rule.
    `ends`: all ways to end it. `waits`, `late`: its notices. `is_opener_alone`: the account that
    began it is the only one reminded after three days."""

    begin: Callable[[Game, User], DisputeCase]
    ends: Mapping[str, Callable[[DisputeCase, User, User], object]]
    waits: str
    late: str
    is_opener_alone: bool = False


def objection(game: Game, ruler: User) -> Objection:
    return objection_raise(game=game, seat=0, word=WORD, actor=Actor())


def hearing(game: Game, ruler: User) -> Hearing:
    return hearing_open(game=game, word=WORD, actor=Actor(ruler.pk))


def appeal(game: Game, ruler: User) -> Appeal:
    """An appeal against a ruling that an arbiter made who is no longer one of the club."""
    objection_raise(game=game, seat=1, word="No.", actor=Actor())
    ruling = ruled(game, UserFactory.create())
    return appeal_raise(ruling=ruling, seat=0, word=WORD, actor=Actor())


def draft(appeal: Appeal, author: User) -> AppealDraft:
    decision = RulingDecision(Verb.STANDS)
    return appeal_draft(
        appeal=appeal, decision=decision, finding=FINDING, author_id=author.pk, key=uuid4()
    )


def game_of(case: DisputeCase) -> Game:
    games = Game.objects.select_related("season_game__season__club", "season_game__season__ranking")
    return games.get(pk=case.reminder.game.pk)


def correct(case: DisputeCase) -> None:
    """Correct the game by no ruling, as seats that agree do."""
    game = game_of(case)
    record = json.loads(write(sealed_record(game)[0]))
    record["outcome"]["rank"].reverse()
    game_correct(game=game, line=json.dumps(record).encode(), reason="The other way round.")


def rule(case: DisputeCase, ruler: User, second: User) -> None:
    ruled(game_of(case), ruler)


def decide(case: DisputeCase, ruler: User, second: User) -> None:
    assert isinstance(case, Appeal)
    appeal_decide(draft=draft(case, ruler), actor=Actor(second.pk))


CASES: Final[Mapping[str, CaseLaws]] = {
    "objection": CaseLaws(
        objection,
        {
            "withdrawn": lambda case, *_: objection_withdraw(objection=case, actor=Actor()),
            "ruled": rule,
            "corrected": lambda case, *_: correct(case),
            "voided": lambda case, *_: game_void_add(game=game_of(case), actor=WHY),
        },
        Occasion.OBJECTION_WAITS,
        Occasion.OBJECTION_LATE,
    ),
    "hearing": CaseLaws(
        hearing,
        {"ruled": rule, "corrected": lambda case, *_: correct(case)},
        Occasion.HEARING_WAITS,
        Occasion.HEARING_LATE,
        is_opener_alone=True,
    ),
    "appeal": CaseLaws(
        appeal,
        {
            "withdrawn": lambda case, *_: appeal_withdraw(appeal=case, actor=Actor()),
            "decided": decide,
        },
        Occasion.APPEAL_WAITS,
        Occasion.APPEAL_LATE,
    ),
}
"""The kinds of case, as the log calls them."""


def end(case: DisputeCase, ruler: User, second: User) -> None:
    """End a case in the way that is usual for it."""
    if isinstance(case, Appeal):
        decide(case, ruler, second)
    else:
        rule(case, ruler, second)


def member(game: Game, role: Role, user: User | None = None) -> User:
    """Somebody who holds a role in the club of a game."""
    club = game.season_game.season.club
    account: User = user or UserFactory.create()
    MembershipFactory.create(club=club, role=role, user=account)
    return account


@contextmanager
def after(days: float) -> Iterator[None]:
    """Set the clock to this many days after the oldest open case began, or the newest case if none
    is open."""
    open_reminders = CaseReminder.objects.exclude(next_at=None, escalated_at=None)
    reminder = open_reminders.order_by("since", "pk").first()
    reminder = reminder or CaseReminder.objects.latest("pk")
    moment = reminder.since + timedelta(days=days)
    with patch("django.utils.timezone.now", return_value=moment):
        yield


def remind(days: float) -> list[bool]:
    """Run the reminders that are due after this many days; return whether each did anything."""
    with after(days):
        return [case_remind(reminder_id=reminder) for reminder in reminders_due(timezone.now())]


def notices_told(game: Game, occasion: str) -> list[Notice]:
    """The notices of an occasion, once the log is read."""
    return [
        notice
        for notice in notices.read(game.season_game.season.club)
        if notice.occasion == occasion
    ]


def people_told(game: Game, occasion: str) -> set[str]:
    """The names of the accounts with a notice of an occasion."""
    return {notice.user.username for notice in notices_told(game, occasion) if notice.user}
