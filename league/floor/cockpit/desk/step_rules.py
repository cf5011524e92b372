"""The steps by which an event goes on, or is set back: each has an object in `EVENT_STEPS`, which
has its texts and takes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from league.core.log.services import Actor
from league.events.event.models import Event
from league.floor.cockpit.desk import step_panel
from league.floor.cockpit.desk.step_panel import NextStep
from league.floor.cockpit.domain.cockpit import Cockpit, EventStep
from league.stages.course.services.event import event_move
from league.stages.course.services.stage import (
    evening_begin,
    stage_begin,
    stage_finish,
    stage_resume,
    stage_start_undo,
)
from league.stages.round.services import round_ask
from league.stages.stage.models import Stage
from league.stages.stage.queries.missing_points import missing_points

UNDONE: Final = _("Undone.")


@dataclass(frozen=True, slots=True)
class StepRules:
    """The texts of a step, and the way in which it is taken.

    `status`: the status to which the step moves the event; or `service`: the service that it calls
    for a stage, the first that isn't finished or, with `of_finished`, the last finished one. A step
    with neither has a page of its own. `draws`: the service also draws a round, and publishes it
    unless the organiser wants to look at it first. `button`, `effects` and `done`: the texts of the
    button, of the confirmation, and afterwards; `unseen_effects`: the effects if only organisers
    have seen the event. `danger`: the button warns. `by_ranking`: the step relies on the ranking,
    so missing points are mentioned first. `panel`: the function that makes the cockpit's panel for
    the step; None if the step never comes next.
    """

    name: EventStep
    button: Promise | str = ""
    effects: tuple[Promise, ...] = ()
    done: Promise = UNDONE
    status: Event.Status | None = None
    service: Callable[..., Any] | None = None
    draws: bool = False
    of_finished: bool = False
    unseen_effects: tuple[Promise, ...] = ()
    danger: bool = False
    by_ranking: bool = False
    panel: Callable[[Cockpit, str], NextStep] | None = None

    @property
    def confirmed(self) -> bool:
        """Return True if the step has a button and asks for confirmation."""
        return self.status is not None or self.service is not None

    def take(
        self, event: Event, stage: Stage | None, actor: Actor, *, at_once: bool, ahead: bool
    ) -> None:
        """Move the event to the step's status, or call its service for the stage. `at_once`: a
        drawn round is published at once; `ahead`: all rounds are drawn. Raise `ValidationError` if
        the step can't be taken."""
        if self.service is not None:
            draw_options = {"at_once": at_once, "ahead": ahead} if self.draws else {}
            self.service(stage=stage, actor=actor, **draw_options)
        elif self.status is not None:
            event_move(event=event, status=self.status, actor=actor)

    def effects_for(self, event: Event) -> list[str]:
        """Return sentences on the effects of the step. If it relies on the ranking, sentences on
        missing points come first."""
        effects = self.effects
        if self.unseen_effects and not event.opened:
            effects = self.unseen_effects
        missing = missing_points(event.stages.order_by("number")) if self.by_ranking else []
        return [*[stage.words for stage in missing], *[str(effect) for effect in effects]]


def _set_up(state: Cockpit, button: str) -> NextStep:
    """Return the panel for setting up a table; `button` is unused, as for other panels with a
    button of their own."""
    return step_panel.set_up(state, finish=str(EVENT_STEPS[EventStep.FINISH_STAGE].button))


EVENT_STEPS: Final[Mapping[str, StepRules]] = MappingProxyType(
    {
        rules.name: rules
        for rules in (
            StepRules(EventStep.PLAN, panel=step_panel.plan),
            StepRules(
                EventStep.OPEN,
                _("Open entries"),
                (_("Everybody who can see the season sees the event, and its players can enter."),),
                _("Entries are open."),
                status=Event.Status.OPEN,
                panel=step_panel.open_entries,
            ),
            StepRules(
                EventStep.RUN,
                _("Start the event"),
                (
                    _("Players can no longer enter themselves; you can still enter them."),
                    _(
                        "Everybody who’s checked in joins the first stage, and its first round, "
                        "if it has one, is drawn."
                    ),
                ),
                _("The event has started."),
                service=evening_begin,
                draws=True,
                panel=step_panel.run,
            ),
            StepRules(
                EventStep.START,
                _("Start the stage"),
                (
                    _(
                        "Its players are seeded and join the stage, and its first round, if it "
                        "has one, is drawn."
                    ),
                ),
                _("The stage has started."),
                service=stage_begin,
                draws=True,
                by_ranking=True,
                panel=step_panel.start,
            ),
            StepRules(
                EventStep.DRAW,
                _("Draw and publish"),
                (_("The tables are drawn for everybody who’s checked in."),),
                _("The round is being drawn."),
                service=round_ask,
                draws=True,
                by_ranking=True,
                panel=step_panel.draw,
            ),
            StepRules(EventStep.WAIT, panel=step_panel.wait),
            StepRules(EventStep.SET_UP, panel=_set_up),
            StepRules(EventStep.PUBLISH, panel=step_panel.publish),
            StepRules(EventStep.RESULTS, panel=step_panel.results),
            StepRules(
                EventStep.FINISH_STAGE,
                _("Finish the stage"),
                (_("Its ranking becomes final, and nothing more is drawn."),),
                _("The stage is finished."),
                service=stage_finish,
                by_ranking=True,
                panel=step_panel.finish_stage,
            ),
            StepRules(
                EventStep.FINISH,
                _("Finish the event"),
                (_("The event is over. Its games can still be corrected."),),
                _("The event is finished."),
                status=Event.Status.FINISHED,
                by_ranking=True,
                panel=step_panel.finish,
            ),
            StepRules(
                EventStep.CLOSE,
                _("Close entries again"),
                (_("The event is a draft again, visible only to organisers. Its entries stay."),),
                status=Event.Status.DRAFT,
            ),
            StepRules(
                EventStep.HALT,
                _("Reopen entries"),
                (_("Players can enter themselves again. Entries and check-ins stay."),),
                status=Event.Status.OPEN,
            ),
            StepRules(
                EventStep.RESTART,
                _("Undo the start of the stage"),
                (
                    _(
                        "The seeding is dropped. You can start the stage again with whoever is "
                        "here then."
                    ),
                ),
                service=stage_start_undo,
            ),
            StepRules(EventStep.TAKE_BACK),
            StepRules(
                EventStep.RESUME_STAGE,
                _("Reopen the stage"),
                (_("Its rounds stay as they are. You can draw more, or take back the last one."),),
                service=stage_resume,
                of_finished=True,
            ),
            StepRules(
                EventStep.RESUME,
                _("Reopen the event"),
                (_("The event is under way again, as it was before."),),
                status=Event.Status.RUNNING,
            ),
            StepRules(
                EventStep.CANCEL,
                _("Cancel the event"),
                (
                    _("Its page and people’s calendars will show that it’s cancelled."),
                    _("Entries and games stay."),
                ),
                _("The event has been cancelled."),
                status=Event.Status.CANCELLED,
                unseen_effects=(
                    _(
                        "Nobody else has seen it, and nobody else will. Only organisers can still "
                        "see it."
                    ),
                ),
                danger=True,
            ),
            StepRules(
                EventStep.REVIVE,
                _("Bring the event back as a draft"),
                (_("The event is a draft again, with its entries."),),
                status=Event.Status.DRAFT,
            ),
        )
    }
)
"""All steps by name."""


def panel_of(state: Cockpit) -> NextStep | None:
    """Return the panel of an event's next step; None if there is no next step."""
    if state.next_step is None:
        return None
    rules = EVENT_STEPS[state.next_step]
    assert rules.panel is not None, f"{rules.name} comes next, and has no words for the cockpit"
    panel = rules.panel(state, str(rules.button))
    return replace(panel, blocked=(*panel.blocked, *step_panel.without_points(state)))
