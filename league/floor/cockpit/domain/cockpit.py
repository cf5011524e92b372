"""The course of an event: its next step, and the step that undoes the last one."""

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
    """The steps by which organisers let an event go on, or undo a step."""

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
    """An event with everything on which its organisers decide.

    `stage` is the first stage that isn't finished (None if all are); `facts` are its facts once it
    runs (`stage_course`). `next_step`: the step that comes next; `undo`: the step that undoes the
    last one; None if there is none. `missing`: the stages with finished tables that lack points.
    """

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
        """Return the newest round, including one that couldn't be drawn."""
        return self.facts.latest if self.facts else None

    @property
    def played(self) -> StageRound | None:
        """Return the round in play."""
        return self.facts.current if self.facts else None

    @property
    def tables(self) -> list[StageTable]:
        """Return the tables of the round in play, and open tables of earlier rounds."""
        return self.facts.current_tables if self.facts else []

    @property
    def open_tables(self) -> list[StageTable]:
        """Return those of the `tables` that aren't finished."""
        return [table for table in self.tables if not table.finished]

    @property
    def deserted_tables(self) -> list[StageTable]:
        """Return the open tables at which too few players are left."""
        return [
            table
            for table in self.open_tables
            if self.facts and has_too_few_left(self.facts, table)
        ]


def has_begun(stages: tuple[Stage, ...]) -> bool:
    """Return True if a stage has started."""
    return any(stage.status != Stage.Status.PLANNED for stage in stages)


def next_step(
    event: Event,
    stages: tuple[Stage, ...],
    stage: Stage | None,
    facts: StageFacts | None,
    there: int,
) -> EventStep | None:
    """Return the next step of an event, of which `stage` is the first that isn't finished. `there`
    players are checked in: if they are enough, a draft can start without being opened for
    entries."""
    if event.over:
        return None
    if not stages:
        return EventStep.PLAN
    if event.status != Status.RUNNING:
        waits_for_entries = event.status == Status.DRAFT and there < LEAST
        return EventStep.OPEN if waits_for_entries else EventStep.RUN
    if stage is None:
        return EventStep.FINISH
    return EventStep.START if facts is None else _next_step_of_stage(facts)


def _next_step_of_stage(facts: StageFacts) -> EventStep:
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
    """Return True if a stage whose tables are all finished has no further round."""
    stage = facts.stage
    if stage.format_rules.plays_to_the_end:
        return has_winner(facts)
    return stage.rounds is not None and facts.last_number >= stage.rounds


def undo_step(
    event: Event, stages: tuple[Stage, ...], stage: Stage | None, facts: StageFacts | None
) -> EventStep | None:
    """Return the step that undoes the last step of an event; None for a draft."""
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
