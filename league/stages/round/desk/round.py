"""Desk pages of a round: its tables, and publishing it."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_safe

from league.core.viewer.web.confirmation import Confirmation, ReasonForm, posted
from league.core.viewer.web.viewer import page_of
from league.events.event.desk.page import event_desk_page, take_event_step
from league.stages.draw.queries.draw import disputed_before
from league.stages.round.domain.reason import draw_cost
from league.stages.round.models import StageRound
from league.stages.round.services import round_publish
from league.stages.stage.desk.stage import desk_stage_crumbs
from league.stages.stage.models import Stage
from league.stages.stage.queries.facts import stage_facts
from league.stages.table.domain.table import round_tables
from league.stages.table.queries.access import round_for_organiser

Status = StageRound.Status


@login_required
@require_safe
@page_of(round_for_organiser)
def round_page(request: HttpRequest, stage_round: StageRound) -> HttpResponse:
    """Show the tables of a round with the reasons of the draw, and the actions that are
    possible."""
    stage_row = stage_round.stage
    facts = stage_facts(stage_row)
    groups = round_tables(facts, stage_round)
    played = any(table.table.games for group in groups for table in group.tables)
    return event_desk_page(
        request,
        stage_row.event,
        "league/stages/round/desk/round.html",
        crumbs=desk_stage_crumbs(stage_row),
        stage=stage_row,
        round=stage_round,
        rests_on=disputed_before(stage_round, facts),
        groups=[
            (group, draw_cost(group.draw.input_text, group.draw.answer) if group.draw else None)
            for group in groups
        ],
        drawn=stage_round.status == Status.DRAWN,
        changeable=stage_round.status in (Status.DRAWN, Status.PUBLISHED) and not played,
        last=facts.last_number == stage_round.number,
        open=stage_round.status in (Status.PUBLISHED, Status.FINISHED),
        running=stage_row.status == Stage.Status.RUNNING,
    )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(round_for_organiser)
def round_publish_page(request: HttpRequest, stage_round: StageRound) -> HttpResponse:
    """Publish a round."""
    step = Confirmation(
        title=gettext("Publish round %(number)d") % {"number": stage_round.number},
        effects=[
            gettext("Everybody who can see the event will see the tables."),
            gettext("Results can be entered."),
            gettext("The draw can still be changed by hand until the first result is in."),
        ],
        button=gettext("Publish the round"),
        form=ReasonForm(posted(request)),
        do=lambda cleaned, actor: round_publish(stage_round=stage_round, actor=actor),
        done=gettext("The round is published."),
    )
    return take_event_step(
        request, stage_round.stage.event, step, crumbs=desk_stage_crumbs(stage_round.stage)
    )


def round_url(stage_round: StageRound, name: str = "desk-round") -> str:
    """Return the address of a desk page of a round."""
    stage = stage_round.stage
    return reverse(
        name, args=[stage.event.club.slug, stage.event.slug, stage.number, stage_round.number]
    )
