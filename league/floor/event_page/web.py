"""The events of a club, and the page of one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from league.core.frame.letter_link import public_address
from league.core.frame.rendering import public_page
from league.core.frame.unchanged import unless_unchanged
from league.core.viewer.queries.access import club_for
from league.core.viewer.web.crumbs import club_crumbs
from league.core.viewer.web.viewer import PageContext, club_page, or_404, page_of, viewer_of
from league.events.entry.queries.entry import entries_shown, own_active_entries, places
from league.events.event.models import Event
from league.events.event.queries.access import event_for, visible_events
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
from league.stages.course.queries import event_history
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
    return unless_unchanged(
        request,
        event_versions(event),
        lambda: _event_page_response(request, event),
        EventSubject.of(event),
    )


def _event_page_response(request: HttpRequest, event: Event) -> HttpResponse:
    viewer = viewer_of(request)
    stages = list(Stage.objects.filter(event=event).order_by("number"))
    own_entries = own_active_entries(viewer, event)
    is_finished = event.status == Event.Status.FINISHED
    is_running = event.status == Event.Status.RUNNING
    course = None
    if is_running or (is_finished and _last_stage_has_bracket(stages)):
        course = event_course(event, stages)
    ranking = event.season.ranking
    return club_page(
        request,
        event.club,
        "league/floor/event_page/event.html",
        event=event,
        next_table=next_table_of(*own_entries) if is_running else None,
        course=course,
        labels=club_ranking(event, stages) if is_running or is_finished else [],
        podium=podium_places(event, stages),
        missing=missing_points(stages) if is_finished else [],
        wins=event_wins(event) if is_finished else {},
        levels=event_levels(event, stages) if is_finished else {},
        by_points=is_decided_by_points(stages),
        live_url=live_url(ranking.pk, ranking.version),
        refresh=REFRESH_SECONDS if is_running else None,
        season=event.season,
        places=None if is_finished else places(event),
        open=event.entries_open,
        own=own_entries,
        page=Paginator(
            ordered_by_division(entries_shown(viewer, event), stages), ENTRIES_PER_PAGE
        ).get_page(request.GET.get("page")),
        stages=stages,
        divided=in_divisions(stages),
        history=event_history(event, viewer, stages),
        ways=event_ways(event),
        works=request.user.has_perm("league.enter_event", event),
        crumbs=events_crumbs(event.club),
    )


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
