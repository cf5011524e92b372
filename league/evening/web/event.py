"""The events of a club, and the page of one."""

from __future__ import annotations

from typing import Final

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from league.clubs.queries.access import club_for
from league.clubs.web.viewer import PageContext, club_page, or_404, viewer_of
from league.entries.queries.entry import entries_shown, entries_there, places
from league.evening.queries.day import next_table_of
from league.evening.queries.event import Step, event_course, podium
from league.evening.queries.history import event_history
from league.events.models import Event
from league.events.queries.access import event_for, visible_events
from league.events.queries.event import coming, entries_open, event_versions, has_games, past, with_counts
from league.events.web.crumbs import event_crumbs
from league.frame.unchanged import unless_unchanged
from league.hall.queries.timetable import has_timetable
from league.rankings.live import live_url
from league.seasons.queries.access import players_with_page
from league.stages.models import Stage
from league.templatetags.figures import figure

EVENTS_PER_PAGE: Final = 30
ENTRIES_PER_PAGE: Final = 100
MOST_COMING: Final = 60
REFRESH_SECONDS: Final = 15
"""After so long an open page of an event that runs asks whether a round was published."""
BEGUN: Final = (Event.Status.RUNNING, Event.Status.FINISHED)


@require_safe
def event_list(request: HttpRequest, club_slug: str) -> HttpResponse:
    """The events of a club that the viewer may see: those to come, then past ones by pages (`?page=`)."""
    viewer = viewer_of(request)
    club = or_404(club_for, viewer, club_slug)
    events = with_counts(visible_events(viewer).filter(club=club))
    page = Paginator(past(events), EVENTS_PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "coming": list(coming(events)[:MOST_COMING]) if page.number == 1 else [],
        "page": page,
        "calendar_url": request.build_absolute_uri(reverse("club-calendar", args=[club.slug])),
        "crumbs": [(club.name, reverse("club", args=[club.slug]))],
    }
    return club_page(request, club, "league/evening/events.html", context)


@require_safe
def event_page(request: HttpRequest, club_slug: str, event_slug: str) -> HttpResponse:
    """An event: when and where, who comes, and how it ended; `?page=` of its entries."""
    event = or_404(event_for, viewer_of(request), club_slug, event_slug)
    return unless_unchanged(request, event_versions(event), lambda: _page(request, event))


def _page(request: HttpRequest, event: Event) -> HttpResponse:
    viewer = viewer_of(request)
    stages = list(Stage.objects.filter(event=event).order_by("number"))
    own = entries_there(viewer, event)
    finished = event.status == Event.Status.FINISHED
    course = event_course(event, stages) if event.status in BEGUN else None
    ranking = event.season.ranking
    shown_players = [row.member.player for group in course.groups for row in group.rows] if course else []
    context = {
        "event": event,
        "next_table": next_table_of(*own) if event.status == Event.Status.RUNNING else None,
        "course": course,
        "podium": [_place(step) for step in podium(event)] if finished else [],
        "known": players_with_page(viewer, shown_players) if shown_players else set(),
        "live_url": live_url(ranking.pk, ranking.version),
        "refresh": REFRESH_SECONDS if event.status == Event.Status.RUNNING else None,
        "season": event.season,
        "places": places(event),
        "open": entries_open(event),
        "own": own,
        "page": Paginator(entries_shown(viewer, event), ENTRIES_PER_PAGE).get_page(request.GET.get("page")),
        "stages": stages,
        "history": event_history(event, viewer, stages),
        "has_games": has_games(event),
        "timetable": has_timetable(event),
        "works": request.user.has_perm("league.enter_event", event),
        "crumbs": event_crumbs(event.club),
    }
    return club_page(request, event.club, "league/evening/event.html", context)


def _place(step: Step) -> PageContext:
    """A step of `components/podium.html`."""
    points = gettext("%(points)s points") % {"points": figure(step.points, step.decimals)}
    return {"rank": step.rank, "name": step.name, "handle": step.handle, "value": points}
