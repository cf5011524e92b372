"""The clock of a round, for a projector."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from league.core.viewer.web.viewer import club_page, page_of
from league.events.event.models import Event
from league.events.event.queries.access import event_for
from league.floor.clock.domain import round_clock
from league.floor.clock.queries import current_round
from league.standings.ranking.live import live_url

REFRESH_SECONDS = 3


@never_cache
@require_safe
@page_of(event_for)
def clock_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the clock of the round in play. The page is never cached: from the time in it a browser
    computes how wrong the clock of its own device is."""
    latest = current_round(event)
    ranking = event.season.ranking
    return club_page(
        request,
        event.club,
        "league/floor/clock/clock.html",
        event=event,
        kind=event.season.kind,
        round=latest,
        clock=round_clock(latest) if latest else None,
        live_url=live_url(ranking.pk, ranking.version),
        refresh=None if event.over else REFRESH_SECONDS,
    )
