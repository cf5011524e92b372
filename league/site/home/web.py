"""The home page."""

from datetime import datetime

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from league.core.account.models import User
from league.core.account.queries.setup import is_set_up
from league.core.club.models import Club
from league.core.frame.rendering import public_page
from league.core.frame.unchanged import unless_unchanged
from league.core.viewer.queries.access import Viewer, listed_for
from league.core.viewer.web.viewer import viewer_of
from league.disputes.arbiter.queries import cases_to_rule
from league.events.event.models import ANNOUNCED, Event
from league.events.event.queries.access import visible_events
from league.events.event.queries.event import coming, next_end, with_counts
from league.floor.my_tables.queries import next_table
from league.site.home.queries import work_of
from league.standings.ranked_game.queries.gameline import latest_games
from league.standings.ranking.queries.state import service_state
from league.standings.season.queries.access import visible_seasons
from league.standings.season.queries.season import SeasonCard, latest_seasons, versions_of, with_top

SEASONS = 3
TOP_ROWS = 5
GAMES = 6
EVENTS = 4


def home_state(event_end: datetime) -> tuple[object, ...]:
    """Return the state of everything on the home page, by one query. `event_end`: the end of the
    first of its events."""
    return (*service_state(), timezone.now() >= event_end)


@require_safe
@public_page(home_state)
def home(request: HttpRequest) -> HttpResponseBase:
    """Show what the service is (or the club, if there is only one), the tables that changed last,
    and their latest games; above them the reader's next table, and the work that waits for a
    member.

    To visitors it is sent again only if it has changed; members always get it, since their work
    changes with time.
    """
    viewer = viewer_of(request)
    listed_events = visible_events(viewer).filter(ANNOUNCED, club__in=listed_for(viewer))
    events = list(coming(with_counts(listed_events))[:EVENTS])
    if isinstance(request.user, User):
        return _render_home(request, viewer, events)
    versions = (
        *versions_of(Club.objects.all()),
        is_set_up(),
        sorted(viewer.keys),
        [event.pk for event in events],
    )
    return unless_unchanged(
        request,
        versions,
        lambda: _render_home(request, viewer, events),
        subject=next_end(events),
    )


def _render_home(request: HttpRequest, viewer: Viewer, events: list[Event]) -> HttpResponse:
    seasons = with_top(latest_seasons(visible_seasons(viewer)), TOP_ROWS)[:SEASONS]
    cards = [SeasonCard.of(season) for season in seasons]
    user = request.user if isinstance(request.user, User) else None
    clubs = list(listed_for(viewer).order_by("pk")[:2])
    context = {
        "club": clubs[0] if len(clubs) == 1 else None,
        "cards": cards,
        "games": latest_games([card.season.ranking_id for card in cards], GAMES),
        "events": events,
        "next_table": next_table(user) if user else None,
        "cases": cases_to_rule(user) if user else [],
        "work": work_of(user) if user else None,
        "unfounded": not (cards or user or is_set_up()),
    }
    return render(request, "league/site/home/home.html", context)
