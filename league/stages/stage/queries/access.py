"""Loaders of stages."""

from __future__ import annotations

from typing import NamedTuple

from django.db.models import Q

from league.core.viewer.queries.access import Viewer
from league.events.event.models import Event
from league.events.event.permissions import RUNNERS, SCORERS, with_role
from league.events.event.queries.access import visible_events
from league.stages.stage.models import Stage
from league.standings.ranking.queries.state import event_page_state


def stage_for(
    viewer: Viewer, club_slug: str, event_slug: str, number: int, *conditions: Q
) -> Stage:
    """Return a stage with its event, club, season and ranking. Raise `Stage.DoesNotExist`."""
    stages = Stage.objects.select_related("event__club", "event__season__ranking")
    return stages.filter(*conditions).get(
        event__in=visible_events(viewer),
        event__club__slug=club_slug,
        event__slug=event_slug,
        number=number,
    )


def stage_for_organiser(viewer: Viewer, club_slug: str, event_slug: str, number: int) -> Stage:
    """Return a stage for the organisers of its club and event. Raise `Stage.DoesNotExist`
    otherwise."""
    return stage_for(
        viewer, club_slug, event_slug, number, with_role(viewer.user, RUNNERS, "event__")
    )


def stage_of(event: Event, number: int) -> Stage:
    """Return a stage of a loaded event, by its number. Raise `Stage.DoesNotExist`."""
    stage = Stage.objects.get(event=event, number=number)
    stage.event = event
    return stage


def stage_for_scorer(viewer: Viewer, club_slug: str, event_slug: str, number: int) -> Stage:
    """Return a stage for the scorers and organisers of its club and event. Raise
    `Stage.DoesNotExist` otherwise."""
    return stage_for(
        viewer, club_slug, event_slug, number, with_role(viewer.user, SCORERS, "event__")
    )


class StageSubject(NamedTuple):
    """A stage that a page shows, by its event and its club, all by row ids."""

    stage: int
    event: int
    club: int


def stage_state(subject: StageSubject) -> tuple[object, ...]:
    """Return the state on which a stage's pages depend: that of its event, which has every change
    of a result, an entry, a name or a right, and of the club's rankings, which decide who has a
    page. One query."""
    return event_page_state(subject.club, subject.event)
