"""The way to pages below that of a stage."""

from __future__ import annotations

from django.urls import reverse

from league.events.event.desk.crumbs import desk_url, event_crumbs
from league.stages.round.models import StageRound
from league.stages.stage.models import Stage


def stage_crumbs(stage: Stage) -> list[tuple[str, str]]:
    """The way to a page below that of a stage."""
    event = stage.event
    return event_crumbs(event, (stage.name, desk_url(event, "desk-stage", stage.number)))


def round_url(stage_round: StageRound, name: str = "desk-round") -> str:
    """A page of a round for organisers."""
    stage = stage_round.stage
    return reverse(name, args=[stage.event.club.slug, stage.event.slug, stage.number, stage_round.number])
