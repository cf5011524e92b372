"""The home page."""

from dataclasses import dataclass
from datetime import datetime
from functools import cached_property, partial

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from league.core.account.models import User
from league.core.account.queries.setup import is_set_up
from league.core.frame.kept import kept, shared_key
from league.core.frame.rendering import public_page
from league.core.frame.unchanged import unless_unchanged
from league.core.viewer.queries.access import Viewer, listed_for
from league.core.viewer.web.viewer import viewer_of
from league.disputes.arbiter.queries import cases_to_rule
from league.events.event.models import ANNOUNCED, Event
from league.events.event.queries.access import Rights, rights_of, visible_events
from league.events.event.queries.event import coming, is_ahead, next_end, with_counts
from league.floor.my_tables.queries import next_table
from league.site.home.queries import work_of
from league.standings.ranked_game.domain.gameline import GameLine
from league.standings.ranked_game.queries.gameline import latest_games
from league.standings.ranking.queries.state import service_state
from league.standings.season.queries.access import visible_seasons
from league.standings.season.queries.season import SeasonCard, latest_seasons, with_top

SEASONS = 3
TOP_ROWS = 5
GAMES = 6
EVENTS = 4
EVENTS_AT_HAND = 12
"""How many events are cached: when one of them ends, the next four are still among them."""


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
    changes with time. What all readers with the same rights see is rendered once for them.
    """
    viewer = viewer_of(request)
    rights = rights_of(viewer)
    state = (*service_state(), rights)
    cached_events = kept("home-events", state, partial(_next_events, viewer))
    events = [event for event in cached_events if is_ahead(event)][:EVENTS]
    versions = (*state, [event.pk for event in events])

    def render_page() -> HttpResponse:
        key = shared_key(request, versions)
        return _render_home(request, rights, ShownHome(viewer, events), key)

    if isinstance(request.user, User):
        return render_page()
    return unless_unchanged(request, versions, render_page, subject=next_end(events))


def _next_events(viewer: Viewer) -> list[Event]:
    listed_events = visible_events(viewer).filter(ANNOUNCED, club__in=listed_for(viewer))
    return list(coming(with_counts(listed_events))[:EVENTS_AT_HAND])


@dataclass(frozen=True)
class ShownHome:
    """What the home page shows to all readers with the same rights. The cards and games are read
    only when they are rendered: while they are cached, nothing is."""

    viewer: Viewer
    events: list[Event]

    @cached_property
    def cards(self) -> list[SeasonCard]:
        """Return the seasons whose tables changed last."""
        seasons = with_top(latest_seasons(visible_seasons(self.viewer)), TOP_ROWS)
        return [SeasonCard.of(season) for season in seasons[:SEASONS]]

    @cached_property
    def games(self) -> list[GameLine]:
        """Return the latest games of these seasons."""
        return latest_games([card.season.ranking_id for card in self.cards], GAMES)


def _render_home(
    request: HttpRequest, rights: Rights, shown: ShownHome, shared_key: str
) -> HttpResponse:
    user = request.user if isinstance(request.user, User) else None
    clubs = list(listed_for(shown.viewer).order_by("pk")[:2])
    context = {
        "club": clubs[0] if len(clubs) == 1 else None,
        "shown": shown,
        "shared_key": shared_key,
        "next_table": next_table(user) if user else None,
        "cases": cases_to_rule(user) if user else [],
        "work": work_of(rights) if user else None,
        "unfounded": not (user or is_set_up() or shown.cards),
    }
    return render(request, "league/site/home/home.html", context)
