"""The clock of a round, as pages show it."""

from __future__ import annotations

from django.db.models import Exists, OuterRef

from league.events.event.models import Event
from league.stages.round.models import StageRound
from league.stages.stage.domain.facts import DRAWN
from league.stages.table.models import Table


def current_round(event: Event) -> StageRound | None:
    """Return the published round of an event that is played, with its stage: the newest, or of
    several that were drawn at once the first with an open table."""
    rounds = StageRound.objects.select_related("stage").filter(stage__event=event, status__in=DRAWN)
    rounds = rounds.annotate(
        waits=Exists(Table.objects.filter(stage_round=OuterRef("pk"), finished=False))
    )
    rows = list(rounds.order_by("-stage__number", "-number"))
    ahead = [row for row in rows if row.stage_id == rows[0].stage_id and row.ahead and row.waits]
    return ahead[-1] if ahead else next(iter(rows), None)
