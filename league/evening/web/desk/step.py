"""The steps by which an event goes on or back: what each is called, what it does, and the page that asks before."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from league.clubs.web.confirmation import Confirmation, ReasonForm, posted, take
from league.clubs.web.viewer import or_404, viewer_of
from league.draws.services.round import round_ask
from league.evening.domain.cockpit import EventStep
from league.evening.services.event import event_move
from league.evening.services.stage import stage_finish, stage_restart, stage_resume, stage_start
from league.events.models import Event
from league.events.queries.access import event_for_organiser
from league.events.web.desk.crumbs import event_crumbs
from league.log.services import Actor
from league.stages.models import Stage

MOVES: dict[EventStep, str] = {
    EventStep.OPEN: Event.Status.OPEN,
    EventStep.RUN: Event.Status.RUNNING,
    EventStep.FINISH: Event.Status.FINISHED,
    EventStep.CLOSE: Event.Status.DRAFT,
    EventStep.HALT: Event.Status.OPEN,
    EventStep.RESUME: Event.Status.RUNNING,
    EventStep.CANCEL: Event.Status.CANCELLED,
    EventStep.REVIVE: Event.Status.DRAFT,
}
"""The steps that let an event go to another status."""
SERVICES: dict[EventStep, Callable[..., Any]] = {
    EventStep.START: stage_start,
    EventStep.RESTART: stage_restart,
    EventStep.RESUME_STAGE: stage_resume,
    EventStep.FINISH_STAGE: stage_finish,
    EventStep.DRAW: round_ask,
}
"""The steps of a stage, and who does them."""


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def event_step_page(request: HttpRequest, club_slug: str, event_slug: str, step: str) -> HttpResponse:
    """Let an event take a step. The cockpit's button sends it at once; without that the page asks first."""
    event = or_404(event_for_organiser, viewer_of(request), club_slug, event_slug)
    wanted = EventStep(step) if step in list(EventStep) else None
    if wanted is None or wanted not in MOVES.keys() | SERVICES.keys():
        raise Http404
    stage = _stage(event, wanted) if wanted in SERVICES else None
    confirmation = Confirmation(
        title=step_title(wanted, event, stage),
        effects=_effects(wanted, event, stage),
        button=step_button(wanted, stage),
        form=ReasonForm(posted(request)),
        do=lambda cleaned, actor: _do(wanted, event, stage, actor),
        done=_done(wanted, stage),
        danger=wanted == EventStep.CANCEL,
    )
    back = reverse("desk-event", args=[event.club.slug, event.slug])
    return take(request, event.club, confirmation, section="events", back=back, crumbs=event_crumbs(event, deeper=True))


def _stage(event: Event, step: EventStep) -> Stage:
    """The stage that a step is about: the first that isn't finished, or the last that is."""
    stages = Stage.objects.filter(event=event)
    if step == EventStep.RESUME_STAGE:
        stage = stages.filter(status=Stage.Status.FINISHED).order_by("-number").first()
    else:
        stage = stages.exclude(status=Stage.Status.FINISHED).order_by("number").first()
    if stage is None:
        raise Http404
    stage.event = event
    return stage


def _do(step: EventStep, event: Event, stage: Stage | None, actor: Actor) -> None:
    if stage is None:
        event_move(event=event, status=MOVES[step], actor=actor)
    else:
        SERVICES[step](stage=stage, actor=actor)


def step_title(step: EventStep, event: Event, stage: Stage | None) -> str:
    """Return what a step is about, as a heading."""
    return f"{step_button(step, stage)}: {stage.name if stage else event.name}"


def step_button(step: EventStep, stage: Stage | None) -> str:
    """Return what the button says that takes a step."""
    words = {
        EventStep.OPEN: gettext("Open the entries"),
        EventStep.RUN: gettext("Start the event"),
        EventStep.START: gettext("Start the stage"),
        EventStep.DRAW: gettext("Draw the next round"),
        EventStep.FINISH_STAGE: gettext("Finish the stage"),
        EventStep.FINISH: gettext("Finish the event"),
        EventStep.CLOSE: gettext("Close the entries again"),
        EventStep.HALT: gettext("Set the event back to its entries"),
        EventStep.RESTART: gettext("Undo the start of the stage"),
        EventStep.RESUME_STAGE: gettext("Let the stage go on"),
        EventStep.RESUME: gettext("Let the event go on"),
        EventStep.CANCEL: gettext("Cancel the event"),
        EventStep.REVIVE: gettext("Bring the event back as a draft"),
    }
    return words[step]


def _effects(step: EventStep, event: Event, stage: Stage | None) -> list[str]:
    """Return what a step does, in sentences."""
    if step == EventStep.CANCEL and not event.opened:
        return [gettext("Nobody else has seen it, and nobody else will: it is kept for organisers alone.")]
    words = {
        EventStep.OPEN: [gettext("Everybody who may see the season sees the event, and its players can enter.")],
        EventStep.RUN: [gettext("Players can’t enter themselves any more; you still can enter them.")],
        EventStep.START: [gettext("Those who are there are seeded and taken into the stage.")],
        EventStep.DRAW: [gettext("The tables are drawn. Nobody else sees them before you publish them.")],
        EventStep.FINISH_STAGE: [gettext("Its ranking stands; nothing more is drawn in it.")],
        EventStep.FINISH: [gettext("The event is over. Games of it can still be corrected.")],
        EventStep.CLOSE: [gettext("The event is a draft again, seen by organisers alone. Its entries stay.")],
        EventStep.HALT: [gettext("Players can enter themselves again. Entries and check-ins stay.")],
        EventStep.RESTART: [gettext("The seeding is dropped. Start it again, with whoever is there then.")],
        EventStep.RESUME_STAGE: [gettext("Its rounds stay as they are; more can be drawn, or the last taken back.")],
        EventStep.RESUME: [gettext("The event runs again, as it stood before.")],
        EventStep.CANCEL: [
            gettext("Its page says that it is cancelled, and calendars say so too."),
            gettext("Entries and games that were entered stay."),
        ],
        EventStep.REVIVE: [gettext("The event is a draft again, with its entries.")],
    }
    return words[step]


def _done(step: EventStep, stage: Stage | None) -> str:
    """Return what is said afterwards."""
    words = {
        EventStep.OPEN: gettext("Entries are open."),
        EventStep.RUN: gettext("The event is running."),
        EventStep.START: gettext("The stage has started."),
        EventStep.DRAW: gettext("The round is being drawn."),
        EventStep.FINISH_STAGE: gettext("The stage is finished."),
        EventStep.FINISH: gettext("The event is finished."),
        EventStep.CANCEL: gettext("The event is cancelled."),
    }
    return words.get(step) or gettext("It is undone.")
