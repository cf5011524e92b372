"""The page that asks before an event takes a step on or back."""

from __future__ import annotations

from http import HTTPStatus

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from league.core.viewer.web.confirmation import Confirmation, PublicReasonForm, ReasonForm, posted
from league.core.viewer.web.viewer import or_404, page_of
from league.events.event.desk.page import desk_event_crumbs, event_take
from league.events.event.models import Event
from league.events.event.queries.access import event_for_organiser
from league.floor.cockpit.desk.step_rules import EVENT_STEPS, StepRules
from league.stages.stage.models import Stage


class DrawForm(ReasonForm):
    """Why a round is drawn, and whether it waits for a look before it is public."""

    look = forms.BooleanField(
        label=gettext_lazy("Let me check the draw before it’s published"),
        required=False,
        initial=True,
    )


class AllRoundsForm(ReasonForm):
    """Why all rounds are drawn at once."""

    ahead = forms.BooleanField(
        label=gettext_lazy("Draw and publish all rounds at once"),
        help_text=gettext_lazy(
            "In this format, the draw needs no results. If somebody comes late or leaves, take "
            "back the rounds that nobody has played yet and draw them again."
        ),
        required=False,
        initial=True,
    )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(event_for_organiser)
def event_step_page(request: HttpRequest, event: Event, step: str) -> HttpResponse:
    """Let an event take a step. The cockpit's button sends it at once; without that the page asks
    first."""
    rules = EVENT_STEPS.get(step)
    if rules is None or not rules.confirmed:
        raise Http404
    stage = _stage(event, rules) if rules.service else None
    over = event.status == Event.Status.FINISHED
    every_round = (
        rules.draws
        and "all" in request.GET
        and stage is not None
        and stage.format_rules.drawn_ahead
    )
    draw_form = AllRoundsForm if every_round else DrawForm
    has_draw = rules.draws and stage is not None and not stage.format_rules.undrawn
    form_class: type[ReasonForm | PublicReasonForm] = draw_form if has_draw else ReasonForm
    if over:
        form_class = PublicReasonForm
    confirmation = Confirmation(
        title=f"{rules.button}: {stage.name if stage else event.name}",
        effects=rules.effects_for(event),
        button=str(rules.button),
        form=form_class(posted(request)),
        do=lambda cleaned, actor: rules.take(
            event, stage, actor, at_once=not cleaned.get("look"), ahead=bool(cleaned.get("ahead"))
        ),
        done=str(rules.done),
        danger=rules.danger,
    )
    answer = event_take(request, event, confirmation, crumbs=desk_event_crumbs(event, deeper=True))
    done = answer.status_code == HTTPStatus.FOUND
    if done and event.over and not request.user.has_perm("league.enter_event", event):
        return redirect(
            "event", event.club.slug, event.slug
        )  # with the event the roles for it have ended
    return answer


def _stage(event: Event, rules: StepRules) -> Stage:
    """Return the stage that a step is about: the first that isn't finished, or the last that is."""
    if rules.of_finished:
        return or_404(event.stages.filter(status=Stage.Status.FINISHED).latest, "number")
    return or_404(event.stages.exclude(status=Stage.Status.FINISHED).earliest, "number")
