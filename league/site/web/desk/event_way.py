"""The way to the pages on which an event is run."""

from __future__ import annotations

from django.urls import reverse
from django.utils.translation import gettext

from league.events.models import Event, Stage, StageRound
from league.events.queries.cockpit import EventStep
from league.site.web.desk.overview import crumbs


def event_crumbs(event: Event, *further: tuple[str, str], deeper: bool = False) -> list[tuple[str, str]]:
    """The way to an event's cockpit; with `deeper` or more behind it, to a page below that."""
    way = [(gettext("Events"), reverse("desk-events", args=[event.club.slug]))]
    if deeper or further:
        way.append((event.name, cockpit_url(event)))
    return crumbs(event.club, *way, *further)


def stage_crumbs(stage: Stage) -> list[tuple[str, str]]:
    """The way to a page below that of a stage."""
    event = stage.event
    page = reverse("desk-stage", args=[event.club.slug, event.slug, stage.number])
    return event_crumbs(event, (stage.name, page))


def cockpit_url(event: Event) -> str:
    """The address of an event's cockpit."""
    return reverse("desk-event", args=[event.club.slug, event.slug])


def step_url(event: Event, step: EventStep) -> str:
    """The address to which the button of a step is sent."""
    return reverse("desk-event-step", args=[event.club.slug, event.slug, step])


def round_url(stage_round: StageRound, name: str = "desk-round") -> str:
    """A page of a round for organisers."""
    stage = stage_round.stage
    return reverse(name, args=[stage.event.club.slug, stage.event.slug, stage.number, stage_round.number])
