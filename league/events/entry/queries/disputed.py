"""Entries of an event whose places rest on a disputed result."""

from __future__ import annotations

from typing import Final

from django.db.models import BooleanField, ExpressionWrapper, Q

from league.events.entry.models import Entry
from league.standings.ranked_game.queries.provisional import is_provisional

# These are values of `StageRound.Status`, which can't be imported here.
COUNTING: Final = ("published", "finished")
"""The statuses of rounds whose results count at the event."""


def has_disputed_result(
    entry: str, event_id: int, *, before_stage: int | None = None
) -> ExpressionWrapper[Q]:
    """Return an annotation: an entry of an event sat at a table with a disputed result.

    Results of voided games, of replaced revisions, and of rounds that were taken back don't count.
    `entry`: the lookup path from the rows to the entry. `before_stage`: only results of stages
    before this number.
    """
    disputed = Q(
        is_provisional("seats__table__results__game"),
        seats__table__stage_round__status__in=COUNTING,
    )
    if before_stage is not None:
        disputed &= Q(seats__table__stage_round__stage__number__lt=before_stage)
    entries = Entry.objects.filter(disputed, event=event_id).order_by().values("pk")
    return ExpressionWrapper(Q(**{f"{entry}__in": entries}), output_field=BooleanField())
