"""The course of an event: what comes next, what that waits for, and what can be undone."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from league.events.entry.domain.entry import EntryCounts
from league.events.event.models import Event
from league.stages.placing.domain.place import has_winner
from league.stages.result.domain.result import MissingPoints
from league.stages.round.models import StageRound
from league.stages.stage.domain.facts import StageFacts, StageTable
from league.stages.stage.domain.size import LEAST
from league.stages.stage.models import Stage
from league.stages.table.domain.walkover import has_too_few_left

Status = Event.Status
RoundStatus = StageRound.Status


class EventStep(StrEnum):
    """All that an organiser does to let an event go on, or back."""

    PLAN = "plan"
    OPEN = "open"
    RUN = "run"
    START = "start"
    DRAW = "draw"
    WAIT = "wait"
    SET_UP = "set-up"
    PUBLISH = "publish"
    RESULTS = "results"
    FINISH_STAGE = "finish-stage"
    FINISH = "finish"
    CLOSE = "close"
    HALT = "halt"
    RESTART = "restart"
    TAKE_BACK = "take-back"
    RESUME_STAGE = "resume-stage"
    RESUME = "resume"
    CANCEL = "cancel"
    REVIVE = "revive"


@dataclass(frozen=True, slots=True)
class Cockpit:
    """An event with all that its organisers decide on.

    `stage` is the first that isn't finished (None: all are), `facts` are its own once it runs
    (`stage_course`). `next_step` and `undo` are the ways on and back; None where there is none.
    `missing`: the stages with tables that are over, and bring nobody points so far."""

    event: Event
    stages: tuple[Stage, ...]
    counts: EntryCounts
    stage: Stage | None
    facts: StageFacts | None
    next_step: EventStep | None
    undo: EventStep | None
    missing: tuple[MissingPoints, ...] = ()

    @property
    def latest(self) -> StageRound | None:
        """The newest round, also one that could not be drawn."""
        return self.facts.latest if self.facts else None

    @property
    def played(self) -> StageRound | None:
        """The round that is played."""
        return self.facts.current if self.facts else None

    @property
    def tables(self) -> list[StageTable]:
        """The tables of the round that is played, and those of earlier ones that are open again."""
        return self.facts.current_tables if self.facts else []

    @property
    def open_tables(self) -> list[StageTable]:
        """Those of them whose games aren't all over."""
        return [table for table in self.tables if not table.finished]

    @property
    def left_tables(self) -> list[StageTable]:
        """Those of them at which too few are left to play."""
        return [
            table
            for table in self.open_tables
            if self.facts and has_too_few_left(self.facts, table)
        ]


def has_begun(stages: tuple[Stage, ...]) -> bool:
    return any(stage.status != Stage.Status.PLANNED for stage in stages)


def next_step(
    event: Event,
    stages: tuple[Stage, ...],
    stage: Stage | None,
    facts: StageFacts | None,
    there: int,
) -> EventStep | None:
    """Return the next step; a draft whose players are `there` needn't be opened first."""
    if event.over:
        return None
    if not stages:
        return EventStep.PLAN
    if event.status != Status.RUNNING:
        return EventStep.OPEN if event.status == Status.DRAFT and there < LEAST else EventStep.RUN
    if stage is None:
        return EventStep.FINISH
    return EventStep.START if facts is None else _next_of_stage(facts)


def _next_of_stage(facts: StageFacts) -> EventStep:
    """Choose the next step of a running stage."""
    if facts.stage.format_rules.undrawn:
        return EventStep.SET_UP
    match facts.latest.status if facts.latest else RoundStatus.FAILED:
        case RoundStatus.ASKED:
            return EventStep.WAIT
        case RoundStatus.DRAWN:
            return EventStep.PUBLISH
    if facts.open_tables:
        return EventStep.RESULTS
    return EventStep.FINISH_STAGE if all_played(facts) else EventStep.DRAW


def all_played(facts: StageFacts) -> bool:
    """Return True if a stage whose tables are finished has no round to come."""
    stage = facts.stage
    if stage.format_rules.plays_to_the_end:
        return has_winner(facts)
    return stage.rounds is not None and facts.last_number >= stage.rounds


def undo_step(
    event: Event, stages: tuple[Stage, ...], stage: Stage | None, facts: StageFacts | None
) -> EventStep | None:
    """Return the step that undoes the last one."""
    match event.status:
        case Status.FINISHED:
            return EventStep.RESUME
        case Status.CANCELLED:
            return EventStep.RESUME if has_begun(stages) else EventStep.REVIVE
        case Status.OPEN:
            return EventStep.CLOSE
        case Status.DRAFT:
            return None
    if facts is not None and facts.rounds:
        return EventStep.TAKE_BACK
    if stage is not None and stage.status == Stage.Status.RUNNING:
        return EventStep.RESTART
    if any(row.status == Stage.Status.FINISHED for row in stages):
        return EventStep.RESUME_STAGE
    return EventStep.HALT
