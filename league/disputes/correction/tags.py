"""Decisions that corrections leave, for the pages of an event: `{% load corrections %}`."""

from django import template

from league.disputes.correction.queries.event import has_corrections
from league.disputes.otherwise.domain.stage import StageOtherwise, event_otherwise
from league.events.event.models import Event
from league.stages.stage.queries.facts import started_stages

register = template.Library()


@register.simple_tag
def stages_to_decide(event: Event) -> list[StageOtherwise]:
    """Return the stages of an event that corrected results would change: `{% stages_to_decide event
    as rows %}`. One query if no game was corrected; otherwise five more for each stage."""
    if not has_corrections(event):
        return []
    return event_otherwise(started_stages(event))
