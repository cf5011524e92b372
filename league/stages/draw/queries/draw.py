"""All that the next draw of a group is made from: the stage's facts as a draw file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from league.events.entry.models import Apart
from league.events.event.models import Event
from league.stages.draw.domain import Pair
from league.stages.draw.models import Draw
from league.stages.stage.domain.facts import DRAWN
from league.stages.stage.models import Stage

TOGETHER: Final = 50
"""Draws that are in memory at the same time."""


def pairs_apart(stage: Stage) -> tuple[Pair, ...]:
    """Read who of a stage's event should not meet, by one query; none for a knock-out, which can't heed it."""
    if stage.knock_out:
        return ()
    rows = Apart.objects.filter(event=stage.event_id).order_by("pk").values_list("first", "second", "must")
    return tuple(Pair(*row) for row in rows)


def event_draws(event: Event) -> Iterator[bytes]:
    """The draw files of an event's published rounds in order of play, a line each."""
    first_draws = Draw.objects.filter(stage_round__stage__event=event, stage_round__status__in=DRAWN, revision=1)
    order = ("stage_round__stage__number", "stage_round__number", "group__number")
    inputs = first_draws.order_by(*order).values_list("input", flat=True)
    return (f"{line}\n".encode() for line in inputs.iterator(chunk_size=TOGETHER))
