"""The desk page of a stage that a correction would change: keep it as played, or take it back."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from league.core.frame.saying import redirect_saying
from league.core.log.services import Actor
from league.core.viewer.web.confirmation import ReasonForm, posted, run_action
from league.core.viewer.web.viewer import page_of
from league.disputes.otherwise.domain.stage import StageOtherwise, event_otherwise
from league.disputes.otherwise.services import played_keep
from league.events.event.desk.page import cockpit_url, desk_url, event_desk_page
from league.events.event.models import Event
from league.stages.round.desk.round import round_url
from league.stages.stage.desk.stage import desk_stage_crumbs
from league.stages.stage.models import Stage
from league.stages.stage.queries.access import stage_for_organiser
from league.stages.stage.queries.facts import started_stages


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(stage_for_organiser)
def otherwise_page(request: HttpRequest, stage_row: Stage) -> HttpResponse:
    """Show how today's results would change a stage, and let the organiser keep the stage as
    played, or take it back to the first change."""
    event = stage_row.event
    changed_stages = event_otherwise(started_stages(event))
    row = next((row for row in changed_stages if row.stage.pk == stage_row.pk), None)
    if row is None:
        message = gettext("There is nothing to decide: today’s results would give the same rounds.")
        return redirect_saying(request, message, cockpit_url(event), level=messages.INFO)

    def keep(cleaned: dict[str, Any], actor: Actor) -> object:
        return played_keep(stage=stage_row, actor=actor)

    form = ReasonForm(posted(request))
    if form.is_valid() and run_action(request, form, keep):
        message = gettext("The rounds stay as they were played.")
        return redirect_saying(request, message, cockpit_url(event))
    return event_desk_page(
        request,
        event,
        "league/disputes/otherwise/desk/stage.html",
        crumbs=desk_stage_crumbs(stage_row),
        stage=stage_row,
        row=row,
        form=form,
        running=event.status == Event.Status.RUNNING,
        take_back=_take_back_url(row),
        first=row.rounds[0].stage_round.number if row.rounds else 0,
    )


def _take_back_url(row: StageOtherwise) -> str:
    """Return the page that takes the whole stage back if its members would change; otherwise the
    page that takes back the first round that would."""
    stage = row.stage
    if row.made:
        return desk_url(stage.event, "desk-stage-set-back", stage.number)
    first_round = row.rounds[0].stage_round
    first_round.stage = stage  # loaded already, so the address needs no query
    return round_url(first_round, "desk-round-take-back")
