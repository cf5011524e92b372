"""Appeals: the open ones, and until when one can be raised."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.db.models import Exists, OuterRef, Q, QuerySet

from games.models import Game
from league.core.viewer.permissions import Account
from league.core.viewer.queries.access import Viewer
from league.disputes.appeal.models import Appeal, AppealDraft
from league.disputes.arbiter.queries import game_for_ruling
from league.disputes.objection.queries.objection import own_seat_of
from league.disputes.ruling.models import Ruling
from league.standings.season.queries.access import game_for

APPEAL_WINDOW: Final = timedelta(days=7)
"""How long after a ruling a seat can appeal against it."""


def appeal_of(game: Game) -> Appeal | None:
    """Return the open appeal about a game, with its ruling; None if there is none."""
    return Appeal.objects.select_related("ruling").filter(ruling__outcome=game, end=None).first()


def appeals_open(game: Q) -> QuerySet[Appeal]:
    """Return the open appeals about the games that fulfil a condition, the oldest first."""
    appeals = Appeal.objects.filter(ruling__outcome__in=Game.objects.filter(game), end=None)
    return appeals.select_related("ruling__outcome", "reminder", "end").order_by("raised_at", "pk")


def appealed(game: str, ever: bool = False) -> Exists:
    """Return the condition that a game has an open appeal; with `ever`, that it has ever had an
    appeal. `game`: the lookup path from the filtered rows to their game."""
    appeals = Appeal.objects.filter(ruling__outcome=OuterRef(game))
    if not ever:
        appeals = appeals.filter(end=None)
    return Exists(appeals)


def appeal_until(ruling: Ruling) -> datetime | None:
    """Return the time until which a seat can appeal against a ruling; None if the ruling decided an
    appeal, and so is final."""
    if hasattr(ruling, "decides"):
        return None
    return ruling.ruled_at + APPEAL_WINDOW


def earlier_rulers(ruling: Ruling) -> set[int]:
    """Return the accounts that made a ruling or seconded it. They can't decide the appeal against
    it."""
    accounts = {ruling.ruled_by_id, ruling.seconded_by_id}
    return {account for account in accounts if account is not None}


def appeal_for(viewer: Viewer, appeal: str) -> Appeal:
    """Return an appeal by its public id, with its ruling and the game that counts now, for those
    who may see that game. Raise `ObjectDoesNotExist` otherwise."""
    row = Appeal.objects.select_related("ruling__club", "ruling__outcome").get(public_id=appeal)
    row.ruling.outcome = game_for(viewer, row.ruling.outcome.public_id)
    return row


def draft_for(viewer: Viewer, draft: str) -> AppealDraft:
    """Return the draft of a decision by its public id, with its author and the appeal, for those
    who may rule on the game. Raise `ObjectDoesNotExist` otherwise."""
    drafts = AppealDraft.objects.select_related("author", "appeal__ruling__outcome")
    row = drafts.get(public_id=draft, appeal__end=None)
    row.appeal.ruling.outcome = game_for_ruling(viewer, row.appeal.ruling.outcome.public_id)
    return row


def may_withdraw(user: Account, appeal: Appeal) -> bool:
    """Return True if an account may withdraw an appeal: it is for its own seat, or the account
    raised it for another one."""
    own_seat = own_seat_of(appeal.ruling.outcome, user.pk)
    if user.pk is None:
        return False
    return appeal.raised_by_id == user.pk or own_seat == appeal.seat
