"""The steps by which an event goes on or back: an object in `EVENT_STEPS` has all that is said of
one, and does it."""

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
    stage_restart,
    stage_resume,
)
from league.stages.round.services import round_ask
from league.stages.stage.models import Stage
from league.stages.stage.queries.missing_points import missing_points

UNDONE: Final = _("Undone.")


@dataclass(frozen=True, slots=True)
class StepRules:
    """All that is said of a step, and what does it.

    `status`: the one that the event moves to; or `service`, which does it to a stage, the first
    that isn't finished or, where it is `of_finished`, the last that is. A step with neither has a
    page of its own. One that `draws` publishes the draw, too, unless somebody wants to look at it
    first. `button`, `effects` and `done`: the words before and after; `unseen_effects` are those
    where nobody but organisers has seen the event. `danger`: the button warns. `by_ranking`: what
    the step does rests on the ranking, so it says first where points are missing. `panel`: the
    cockpit's words where this step comes next; None for a step that never does."""

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
        """The step has a button, which asks before it is taken."""
        return self.status is not None or self.service is not None

    def take(
        self, event: Event, stage: Stage | None, actor: Actor, *, at_once: bool, ahead: bool
    ) -> None:
        """Move the event, or do to its stage what the step does; `at_once`: what it draws is
        published, too, and `ahead` all rounds are. Raise `ValidationError`."""
        if self.service is not None:
            self.service(
                stage=stage,
                actor=actor,
                **({"at_once": at_once, "ahead": ahead} if self.draws else {}),
            )
        elif self.status is not None:
            event_move(event=event, status=self.status, actor=actor)

    def effects_for(self, event: Event) -> list[str]:
        """Say in sentences how the step changes an event, and first what the ranking lacks on which
        it rests."""
        effects = self.unseen_effects if self.unseen_effects and not event.opened else self.effects
        missing = missing_points(event.stages.order_by("number")) if self.by_ranking else []
        return [*[stage.words for stage in missing], *[str(effect) for effect in effects]]


def _set_up(state: Cockpit, button: str) -> NextStep:
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
                        "The seeding is dropped. You can start the stage again with whoever is here "
                        "then."
                    ),
                ),
                service=stage_restart,
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
                (_("The event is running again, as it was before."),),
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
    """Return the words of the step that comes next at an event; None where nothing does."""
    if state.next_step is None:
        return None
    rules = EVENT_STEPS[state.next_step]
    assert rules.panel is not None, f"{rules.name} comes next, and has no words for the cockpit"
    panel = rules.panel(state, str(rules.button))
    return replace(panel, blocked=(*panel.blocked, *step_panel.without_points(state)))
