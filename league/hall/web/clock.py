"""The clock of a round, for a projector."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from league.clubs.web.viewer import club_page, page_of
from league.events.models import Event
from league.events.queries.access import event_for
from league.hall.domain.clock import round_clock
from league.hall.queries.clock import current_round
from league.rankings.live import live_url

REFRESH_SECONDS = 3


@never_cache
@require_safe
@page_of(event_for)
def clock_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Show what is left of the newest published round. It is never kept: by the time in it a page finds out how wrong
    the clock of its own machine is."""
    latest = current_round(event)
    ranking = event.season.ranking
    return club_page(
        request,
        event.club,
        "league/hall/clock.html",
        event=event,
        kind=event.season.kind,
        round=latest,
        clock=round_clock(latest) if latest else None,
        live_url=live_url(ranking.pk, ranking.version),
        refresh=None if event.over else REFRESH_SECONDS,
    )
