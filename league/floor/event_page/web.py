"""The events of a club, and the page of one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from django.core.paginator import Page, Paginator
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from engine.messages import Message
from league.core.frame.kept import shared_key
from league.core.frame.letter_link import public_address
from league.core.frame.rendering import public_page
from league.core.frame.unchanged import unless_unchanged
from league.core.viewer.queries.access import Viewer, club_for
from league.core.viewer.web.crumbs import club_crumbs
from league.core.viewer.web.viewer import PageContext, club_page, or_404, page_of, viewer_of
from league.events.entry.models import Entry
from league.events.entry.queries.entry import entries_shown, own_active_entries, places
from league.events.event.models import Event
from league.events.event.queries.access import event_for, rights_of, visible_events
from league.events.event.queries.event import (
    EventSubject,
    coming,
    event_state,
    event_versions,
    past,
    with_counts,
)
from league.events.event.web import events_crumbs
from league.floor.event_page.queries import (
    EventCourse,
    EventWays,
    PodiumPlace,
    club_ranking,
    event_course,
    event_levels,
    event_ways,
    event_wins,
    is_decided_by_points,
    podium,
)
from league.floor.my_tables.queries import next_table_of
from league.stages.course.domain import HistoryLine
from league.stages.course.queries import event_history
from league.stages.placing.domain.ranking import ShownLabel
from league.stages.result.domain.result import MissingPoints
from league.stages.stage.domain.group import in_divisions
from league.stages.stage.models import Stage
from league.stages.stage.queries.group import ordered_by_division
from league.stages.stage.queries.missing_points import missing_points
from league.standings.ranking.live import live_url

EVENTS_PER_PAGE: Final = 30
ENTRIES_PER_PAGE: Final = 100
MOST_COMING: Final = 60
REFRESH_SECONDS: Final = 15
"""How often an open page of a running event checks for a published round."""


@require_safe
def event_list(request: HttpRequest, club_slug: str) -> HttpResponse:
    """Show the events of a club that the viewer may see: coming ones, then past ones by pages
    (`?page=`)."""
    viewer = viewer_of(request)
    club = or_404(club_for, viewer, club_slug)
    events = with_counts(visible_events(viewer).filter(club=club))
    page = Paginator(past(events), EVENTS_PER_PAGE).get_page(request.GET.get("page"))
    return club_page(
        request,
        club,
        "league/floor/event_page/events.html",
        coming=list(coming(events)[:MOST_COMING]) if page.number == 1 else [],
        page=page,
        calendar_url=public_address(reverse("club-calendar", args=[club.slug])),
        crumbs=club_crumbs(club),
    )


@require_safe
@public_page(event_state)
@page_of(event_for)
def event_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Show an event: its date and place, its entries, and its results; `?page=` of its entries."""
    versions = event_versions(event)
    return unless_unchanged(
        request,
        versions,
        lambda: _event_page_response(request, event, versions),
        EventSubject.of(event),
    )


def _event_page_response(
    request: HttpRequest, event: Event, versions: Sequence[object]
) -> HttpResponse:
    viewer = viewer_of(request)
    rights = rights_of(viewer, event.club)
    own_entries = own_active_entries(viewer, event)
    is_finished = event.status == Event.Status.FINISHED
    is_running = event.status == Event.Status.RUNNING
    ranking = event.season.ranking
    return club_page(
        request,
        event.club,
        "league/floor/event_page/event.html",
        event=event,
        next_table=next_table_of(*own_entries) if is_running else None,
        live_url=live_url(ranking.pk, ranking.version),
        refresh=REFRESH_SECONDS if is_running else None,
        season=event.season,
        places=None if is_finished else places(event),
        open=event.entries_open,
        own=own_entries,
        works=rights.works_at(event),
        crumbs=events_crumbs(event.club),
        shared_key=shared_key(request, (*versions, rights)),
        shown=ShownEvent(event, viewer, request.GET.get("page")),
    )


@dataclass(frozen=True)
class ShownEvent:
    """What an event's page shows to all readers with the same rights. It is read only when a part
    of the page is rendered: while the part is cached, nothing is."""

    event: Event
    viewer: Viewer
    page_number: str | None

    @property
    def is_finished(self) -> bool:
        """Return True if the event is over."""
        return self.event.status == Event.Status.FINISHED

    @cached_property
    def stages(self) -> list[Stage]:
        """Return the stages of the event, in order."""
        return list(Stage.objects.filter(event=self.event).order_by("number"))

    @cached_property
    def ways(self) -> EventWays:
        """Return the pages to which the page links."""
        return event_ways(self.event)

    @cached_property
    def follows(self) -> bool:
        """Return True if the page shows a course that can change."""
        if self.is_finished:
            return _last_stage_has_bracket(self.stages)
        return self.event.status == Event.Status.RUNNING

    @cached_property
    def course(self) -> EventCourse | None:
        """Return the stage in play, or the last bracket of a finished event."""
        return event_course(self.event, self.stages) if self.follows else None

    @cached_property
    def labels(self) -> list[ShownLabel]:
        """Return the ranking of clubs and towns, once the event runs."""
        has_begun = self.is_finished or self.event.status == Event.Status.RUNNING
        return club_ranking(self.event, self.stages) if has_begun else []

    @cached_property
    def podium(self) -> list[PageContext]:
        """Return the steps of the podium."""
        return podium_places(self.event, self.stages)

    @cached_property
    def missing(self) -> list[MissingPoints]:
        """Return the stages that ended without some of their points."""
        return missing_points(self.stages) if self.is_finished else []

    @cached_property
    def wins(self) -> Mapping[int, int]:
        """Return the wins of each entry of a finished event."""
        return event_wins(self.event) if self.is_finished else {}

    @cached_property
    def levels(self) -> dict[int, Message]:
        """Return what separates entries with the same points, once the event is finished."""
        return event_levels(self.event, self.stages) if self.is_finished else {}

    @cached_property
    def by_points(self) -> bool:
        """Return True if points alone decide the places."""
        return is_decided_by_points(self.stages)

    @cached_property
    def page(self) -> Page[Entry]:
        """Return the page of entries that the reader has asked for."""
        entries = ordered_by_division(entries_shown(self.viewer, self.event), self.stages)
        return Paginator(entries, ENTRIES_PER_PAGE).get_page(self.page_number)

    @cached_property
    def divided(self) -> bool:
        """Return True if the entries are listed by divisions."""
        return in_divisions(self.stages)

    @cached_property
    def history(self) -> list[HistoryLine]:
        """Return what was changed after it had been public."""
        return event_history(self.event, self.viewer, self.stages)


def _last_stage_has_bracket(stages: Sequence[Stage]) -> bool:
    started = [stage for stage in stages if stage.status != Stage.Status.PLANNED]
    return bool(started and started[-1].knock_out)


def podium_places(event: Event, stages: Sequence[Stage]) -> list[PageContext]:
    """Return the context of the steps of `components/podium.html`; empty before the event is
    finished."""
    if event.status != Event.Status.FINISHED:
        return []
    return [_podium_step(step) for step in podium(event, stages)]


def _podium_step(step: PodiumPlace) -> PageContext:
    return {
        "rank": step.rank,
        "name": step.name,
        "handle": step.handle,
        "value": step.points,
        "provisional": step.provisional,
    }
