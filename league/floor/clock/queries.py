"""The clock of a round, as pages show it."""

from __future__ import annotations

from django.db.models import Exists, OuterRef

from league.events.event.models import Event
from league.stages.round.models import StageRound
from league.stages.stage.domain.facts import DRAWN
from league.stages.table.models import Table


def current_round(event: Event) -> StageRound | None:
    """Return the published round of an event that is in play, with its stage: the newest one or, of
    rounds drawn ahead, the first with an open table. None if no round is published."""
    rounds = StageRound.objects.select_related("stage").filter(stage__event=event, status__in=DRAWN)
    rounds = rounds.annotate(
        waits=Exists(Table.objects.filter(stage_round=OuterRef("pk"), finished=False))
    )
    rows = list(rounds.order_by("-stage__number", "-number"))
    drawn_ahead = [
        row for row in rows if row.stage_id == rows[0].stage_id and row.ahead and row.waits
    ]
    if drawn_ahead:
        return drawn_ahead[-1]  # the newest come first
    return next(iter(rows), None)
