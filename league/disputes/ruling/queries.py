"""Rulings, and whether a game waits for one."""

from __future__ import annotations

from typing import NamedTuple

from django.db.models import QuerySet

from games.models import Game
from league.disputes.appeal.models import Appeal
from league.disputes.appeal.queries import appeal_of
from league.disputes.hearing.models import Hearing
from league.disputes.hearing.queries import hearing_of
from league.disputes.objection.models import Objection
from league.disputes.ruling.models import Ruling


class OpenDispute(NamedTuple):
    """What waits for a ruling on a game: objections that have no end, a hearing, an appeal."""

    objections: list[Objection]
    hearing: Hearing | None
    appeal: Appeal | None

    @property
    def standard(self) -> Ruling.Standard:
        """The standard of proof: a hearing to which no objection led was opened too late for the lower one."""
        if self.appeal is not None:
            return Ruling.Standard(self.appeal.ruling.standard)
        return Ruling.Standard.LIKELY if self.objections else Ruling.Standard.CERTAIN


def open_dispute(game: Game) -> OpenDispute | None:
    """Read what waits for a ruling on the revision of a game that counts; None: nothing. Three queries."""
    dispute = OpenDispute(
        list(Objection.objects.filter(game=game, end=None)),
        hearing_of(game),
        appeal_of(game),
    )
    return dispute if any(dispute) else None


def rulings_of(game: Game) -> QuerySet[Ruling]:
    """Return the rulings on any revision of a game, the first one first."""
    return Ruling.objects.filter(game__source=game.source, game__external_id=game.external_id).order_by("number")


def is_ruled_by_arbiter(game: Game) -> bool:
    """Return True if only a ruling may change a game: one waits, or an arbiter has ruled on it before."""
    return open_dispute(game) is not None or rulings_of(game).exists()
