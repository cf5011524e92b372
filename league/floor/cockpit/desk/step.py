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
from league.events.event.desk.page import desk_event_crumbs, take_event_step
from league.events.event.models import Event
from league.events.event.queries.access import event_for_organiser
from league.floor.cockpit.desk.step_rules import EVENT_STEPS, StepRules
from league.stages.stage.models import Stage


class DrawForm(ReasonForm):
    """The reason why a round is drawn, and whether the organiser looks at it before it is
    published."""

    look = forms.BooleanField(
        label=gettext_lazy("Let me check the draw before it’s published"),
        required=False,
        initial=True,
    )


class AllRoundsForm(ReasonForm):
    """The reason why rounds are drawn, and whether all of them are drawn at once."""

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
    """Take a step of an event. The cockpit's button sends a POST, which takes it at once; a GET
    asks for confirmation first."""
    rules = EVENT_STEPS.get(step)
    if rules is None or not rules.confirmed:
        raise Http404
    stage = _stage_of_step(event, rules) if rules.service else None
    is_finished = event.status == Event.Status.FINISHED
    draws_all_rounds = (
        rules.draws
        and "all" in request.GET
        and stage is not None
        and stage.format_rules.drawn_ahead
    )
    draw_form_class = AllRoundsForm if draws_all_rounds else DrawForm
    has_draw = rules.draws and stage is not None and not stage.format_rules.undrawn
    form_class: type[ReasonForm | PublicReasonForm] = draw_form_class if has_draw else ReasonForm
    if is_finished:
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
    response = take_event_step(
        request, event, confirmation, crumbs=desk_event_crumbs(event, deeper=True)
    )
    was_taken = response.status_code == HTTPStatus.FOUND
    if was_taken and event.over and not request.user.has_perm("league.enter_event", event):
        # The roles for the event have ended with it.
        return redirect("event", event.club.slug, event.slug)
    return response


def _stage_of_step(event: Event, rules: StepRules) -> Stage:
    if rules.of_finished:
        return or_404(event.stages.filter(status=Stage.Status.FINISHED).latest, "number")
    return or_404(event.stages.exclude(status=Stage.Status.FINISHED).earliest, "number")
