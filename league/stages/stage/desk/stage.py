"""Desk pages of stages: planning, changing, seeding by hand, deleting."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from league.core.frame.saying import redirect_saying
from league.core.log.services import Actor
from league.core.viewer.web.confirmation import (
    Confirmation,
    PublicReasonForm,
    ReasonForm,
    posted,
    run_action,
)
from league.core.viewer.web.viewer import club_page, page_of
from league.events.entry.models import Entry
from league.events.entry.queries.entry import entry_counts
from league.events.event.desk.page import (
    cockpit_url,
    desk_event_crumbs,
    desk_url,
    event_desk_page,
    take_event_step,
)
from league.events.event.models import Event
from league.events.event.queries.access import event_for_organiser
from league.events.event.queries.event import has_ended
from league.stages.course.services.stage import stage_begin
from league.stages.placing.queries import entrants
from league.stages.result.domain.result import counts_points
from league.stages.stage.desk.stage_form import StageForm
from league.stages.stage.format import FORMATS, recommended_format
from league.stages.stage.models import Seeding, Stage, StageScoring
from league.stages.stage.queries.access import stage_for_organiser
from league.stages.stage.queries.group import first_groups, mix_words
from league.stages.stage.queries.stage import are_entrants_settled
from league.stages.stage.services.stage import stage_change, stage_create, stage_drop


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(event_for_organiser)
def stage_new_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Plan one more stage: choose its format first (`?format=swiss`), then its settings."""
    stage_format = request.GET.get("format", "")
    context: dict[str, Any] = {
        "event": event,
        "here": "events",
        "crumbs": desk_event_crumbs(event, deeper=True),
    }
    number = 1 + Stage.objects.filter(event=event).count()
    count = _expected_players(event)
    if stage_format not in FORMATS:
        recommended = recommended_format(number, count)
        context["count"] = count
        context["recommended"] = FORMATS[recommended]
        context["formats"] = [rules for name, rules in FORMATS.items() if name != recommended]
        return club_page(
            request, event.club, "league/stages/stage/desk/stage_format.html", **context
        )

    form = StageForm(event, stage_format, posted(request), number=number, count=count)

    def create(_: Any, actor: Actor) -> None:
        stage_create(event=event, actor=actor, **form.settings())

    if form.is_valid() and run_action(request, form, create):
        return redirect_saying(request, gettext("The stage is planned."), cockpit_url(event))
    context["form"] = form
    context["rules"] = FORMATS[stage_format]
    return club_page(request, event.club, "league/stages/stage/desk/stage.html", **context)


def _expected_players(event: Event) -> int:
    counts = entry_counts(event)
    return counts.there or counts.entered or event.capacity or 16


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(stage_for_organiser)
def stage_desk_page(request: HttpRequest, stage_row: Stage) -> HttpResponse:
    """Change a stage; once it has started only the settings that aren't settled."""
    event = stage_row.event
    count = _expected_players(event)
    form = StageForm(
        event,
        stage_row.format,
        posted(request),
        number=stage_row.number,
        count=count,
        stage=stage_row,
    )

    def change(_: Any, actor: Actor) -> None:
        stage_change(stage=stage_row, actor=actor, **form.settings())

    if form.is_valid() and run_action(request, form, change):
        return redirect_saying(request, gettext("Settings saved."), cockpit_url(event))

    planned = stage_row.status == Stage.Status.PLANNED
    mix = ""
    if planned and stage_row.number == 1:
        mix = mix_words(stage_row, first_groups(stage_row, count))
    return event_desk_page(
        request,
        event,
        "league/stages/stage/desk/stage.html",
        crumbs=desk_event_crumbs(event, deeper=True),
        stage=stage_row,
        form=form,
        rules=stage_row.format_rules,
        mix=mix,
        planned=planned,
        counts_points=counts_points(stage_row),
    )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(stage_for_organiser)
def stage_drop_page(request: HttpRequest, stage_row: Stage) -> HttpResponse:
    """Delete a planned stage."""
    event = stage_row.event
    step = Confirmation(
        title=gettext("Delete “%(stage)s”") % {"stage": stage_row.name},
        effects=[gettext("The stage disappears from the event. Nothing was played in it.")],
        button=gettext("Delete the stage"),
        form=ReasonForm(posted(request)),
        do=lambda cleaned, actor: stage_drop(stage=stage_row, actor=actor),
        done=gettext("The stage is deleted."),
        danger=True,
    )
    return take_event_step(request, event, step, crumbs=desk_stage_crumbs(stage_row))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(stage_for_organiser)
def stage_places_page(request: HttpRequest, stage_row: Stage) -> HttpResponse:
    """Let a stage that counts points count places instead."""
    event = stage_row.event
    if not counts_points(stage_row):
        return redirect_saying(
            request,
            gettext("This stage doesn’t count points."),
            cockpit_url(event),
            level=messages.INFO,
        )
    form_class = PublicReasonForm if has_ended(event) else ReasonForm
    step = Confirmation(
        title=gettext("Count places in “%(stage)s”") % {"stage": stage_row.name},
        effects=[
            gettext(
                "From now on the stage counts points for places, including for games already "
                "entered."
            ),
            gettext(
                "Dice scores and totals no longer count in it; the season’s table counts as before."
            ),
            gettext("Rounds that were drawn stay as they are."),
            gettext("The event’s page tells everybody that this was changed."),
        ],
        button=gettext("Count places"),
        form=form_class(posted(request)),
        do=lambda cleaned, actor: stage_change(
            stage=stage_row, actor=actor, scoring=StageScoring.PLACEMENT
        ),
        done=gettext("The stage counts places."),
    )
    return take_event_step(request, event, step, crumbs=desk_stage_crumbs(stage_row))


class SeedingForm(forms.Form):
    """A number for each player: the best seeded has 1. Equal numbers keep the order of the list."""

    def __init__(self, entries: list[Entry], data: Any) -> None:
        super().__init__(data)
        self.entries = entries
        for place, entry in enumerate(entries, start=1):
            self.fields[entry.public_id] = forms.IntegerField(
                label=entry.player.name,
                min_value=1,
                max_value=9999,
                initial=place,
                widget=forms.NumberInput(attrs={"inputmode": "numeric", "class": "place"}),
            )

    def order(self) -> list[Entry]:
        """Return the entries, the best seeded first."""
        return sorted(self.entries, key=lambda entry: self.cleaned_data[entry.public_id])


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(stage_for_organiser)
def stage_seeding_page(request: HttpRequest, stage_row: Stage) -> HttpResponse:
    """Seed the players by numbers, and start the stage."""
    event = stage_row.event
    ready = stage_row.status == Stage.Status.PLANNED and are_entrants_settled(stage_row)
    if stage_row.seeding != Seeding.HAND or not ready:
        return redirect_saying(
            request,
            gettext("This stage can’t be seeded by hand now."),
            cockpit_url(event),
            level=messages.INFO,
        )
    form = SeedingForm([entry for entry, _ in entrants(stage_row)], posted(request))

    def begin(_: Any, actor: Actor) -> None:
        stage_begin(stage=stage_row, order=form.order(), actor=actor)

    if form.is_valid() and run_action(request, form, begin):
        return redirect_saying(request, gettext("The stage has started."), cockpit_url(event))
    return event_desk_page(
        request,
        event,
        "league/stages/stage/desk/seeding.html",
        crumbs=desk_stage_crumbs(stage_row),
        stage=stage_row,
        form=form,
        back=cockpit_url(event),
    )


def desk_stage_crumbs(stage: Stage) -> list[tuple[str, str]]:
    """Return the breadcrumbs of a page below that of a stage."""
    stage_page = (stage.name, desk_url(stage.event, "desk-stage", stage.number))
    return desk_event_crumbs(stage.event, stage_page)
