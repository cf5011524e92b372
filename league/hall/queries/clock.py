"""The clock of a round, as pages show it."""

from __future__ import annotations

from league.events.models import Event
from league.tables.domain.stage import DRAWN
from league.tables.models import StageRound


def newest_round(event: Event) -> StageRound | None:
    """The published round of an event that was drawn last, with its stage."""
    rounds = StageRound.objects.select_related("stage").filter(stage__event=event, status__in=DRAWN)
    return rounds.order_by("-stage__number", "-number").first()
