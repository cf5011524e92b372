"""Finding the stage that a page of organisers is about."""

from __future__ import annotations

from django.http import HttpRequest

from league.clubs.web.viewer import or_404, viewer_of
from league.events.queries.access import event_for_organiser
from league.stages.models import Stage
from league.stages.queries.access import stage_of


def stage_for(request: HttpRequest, club_slug: str, event_slug: str, number: int) -> Stage:
    """A stage for the organisers of its club; 404 for others."""
    return or_404(stage_of, or_404(event_for_organiser, viewer_of(request), club_slug, event_slug), number)
