"""The course of a stage: starting it with the players who are there, finishing it, and undoing
both."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import F, QuerySet
from django.utils.translation import gettext

from engine.pairing.secret import lots_seed, seeding_seed
from league.core.locks import Space, transaction_lock_patient
from league.core.log.services import Actor, Journal
from league.events.entry.models import Entry
from league.events.event.models import Event
from league.events.event.services import course_journal, refuse_unless_running
from league.stages.course.services.event import event_move
from league.stages.placing.domain.seeding import withdrawn_from
from league.stages.placing.queries import entrants
from league.stages.result.services.void import table_games_void
from league.stages.round.models import ROUND, StageRound
from league.stages.round.services import games_from, round_ask, round_take_back
from league.stages.stage.actions import StageAction
from league.stages.stage.domain.facts import NO_ROUND
from league.stages.stage.domain.group import GroupPlan, seating_fault
from league.stages.stage.domain.size import LEAST, table_sizes
from league.stages.stage.models import GROUP, STAGE, Group, Participant, Seeding, Stage, new_secret
from league.stages.stage.queries.facts import stage_course, stage_facts
from league.stages.stage.queries.group import group_plan
from league.stages.stage.queries.stage import stage_before
from league.stages.stage.services.stage import refuse_unfinished, rounds_finish, stage_drop
from league.stages.table.models import TableGame

DROPPED: Final = "dropped"
"""The status that `stage_move` takes to delete a planned stage."""


@transaction.atomic
def stage_move(
    *,
    stage: Stage,
    status: str,
    actor: Actor,
    order: Sequence[Entry] = (),
    with_results: bool = False,
) -> Stage:
    """Move a stage to a status (`Stage.Status`, or `DROPPED`) by the step that leads there; return
    the stage as it is then. Do nothing if it has the status already.

    `order` is the seeding by hand for a start; `with_results` undoes a start together with the
    rounds played since. Raise `ValidationError` if the step can't be taken.
    """
    stage = stage.event.stages.get(pk=stage.pk)
    if status == stage.status:
        return stage
    if status == DROPPED:
        stage_drop(stage=stage, actor=actor)
    elif status == Stage.Status.FINISHED:
        stage_finish(stage=stage, actor=actor)
    elif status == Stage.Status.PLANNED and with_results:
        stage_set_back(stage=stage, actor=actor)
        stage.refresh_from_db(fields=["status", "version"])
    elif status == Stage.Status.PLANNED:
        stage_start_undo(stage=stage, actor=actor)
    elif stage.status == Stage.Status.FINISHED:
        stage_resume(stage=stage, actor=actor)
    else:
        stage_start(stage=stage, actor=actor, order=order)
    return stage


def stage_start(*, stage: Stage, actor: Actor, order: Sequence[Entry] = ()) -> None:
    """Start a stage with the players who are checked in, or with the best of the stage before. They
    are seeded, and spread over groups or put into the groups of their divisions.

    `order` is the seeding by hand. Raise `ValidationError` if there are too few players, or the
    stage before isn't finished.
    """
    with _stage_change(stage, actor) as (journal, stage_row):
        earlier_stage = stage_before(stage_row)
        _refuse_start(stage_row, earlier_stage)
        stage_row.seed = stage_row.seed or lots_seed(stage_row.secret)
        stage_row.seeding_seed = stage_row.seeding_seed or seeding_seed(stage_row.secret)
        seeded_entrants = entrants(stage_row, order)
        groups = group_plan(stage_row, [entry for entry, _ in seeded_entrants])
        _refuse_player_count(stage_row, groups, len(seeded_entrants))
        group_rows = _create_participants(stage_row, groups, seeded_entrants)

        withdrawn: list[int] = []
        if earlier_stage:
            withdrawn = sorted(withdrawn_from(stage_facts(earlier_stage)))
        seeds = {"seed": stage_row.seed, "seeding_seed": stage_row.seeding_seed}
        Stage.objects.filter(pk=stage.pk).update(
            gone=withdrawn, kept="", groups=len(groups.names), **seeds
        )
        _set_status(stage_row, Stage.Status.RUNNING)

        withdrawn_public_ids = sorted(
            Entry.objects.filter(pk__in=withdrawn).values_list("public_id", flat=True)
        )
        payload: dict[str, Any] = {
            "participants": [entry.public_id for entry, _ in seeded_entrants],
            **seeds,
            "gone": withdrawn_public_ids,
        }
        names: dict[str, str] = {}
        if stage_row.by_division:
            payload["divisions"] = groups.numbers
            names = {f"group_{row.public_id}": row.name for row in group_rows}
        journal.add(StageAction.STARTED, stage.public_id, payload, names=names)
        journal.record(STAGE, [stage], ["status", "groups", "gone", "kept", *seeds])
        if stage_row.by_division:
            journal.record(GROUP, group_rows)


def _refuse_start(stage: Stage, before: Stage | None) -> None:
    if stage.status != Stage.Status.PLANNED:
        raise ValidationError(gettext("This stage has started."))
    if Event.objects.get(pk=stage.event_id).status != Event.Status.RUNNING:
        raise ValidationError(gettext("Start the event first."))
    if before is not None and before.status != Stage.Status.FINISHED:
        raise ValidationError(gettext("Finish “%(stage)s” first.") % {"stage": before.name})


@transaction.atomic
def stage_begin(
    *,
    stage: Stage,
    actor: Actor,
    order: Sequence[Entry] = (),
    at_once: bool = True,
    ahead: bool = False,
) -> None:
    """Start a stage and, if its format has a draw, request its first round, published as soon as it
    is drawn (`at_once`), or all its rounds (`ahead`). Raise `ValidationError` if one of these steps
    can't be taken; then nothing has changed."""
    stage_start(stage=stage, actor=actor, order=order)
    if not stage.format_rules.undrawn:
        round_ask(stage=stage, actor=actor, at_once=at_once, ahead=ahead)


@transaction.atomic
def evening_begin(*, stage: Stage, actor: Actor, at_once: bool = True, ahead: bool = False) -> None:
    """Start an event with its first stage, and request the first round, or all rounds (`ahead`). A
    stage that is seeded by hand isn't started: its seeding comes first.

    Raise `ValidationError` if one of these steps can't be taken; then nothing has changed.
    """
    if stage.event.status == Event.Status.DRAFT:
        event_move(event=stage.event, status=Event.Status.OPEN, actor=actor)
    event_move(event=stage.event, status=Event.Status.RUNNING, actor=actor)
    if stage.seeding != Seeding.HAND:
        stage_begin(stage=stage, actor=actor, at_once=at_once, ahead=ahead)


def stage_start_undo(*, stage: Stage, actor: Actor) -> None:
    """Undo the start of a stage without rounds, or whose rounds were all taken back. Raise
    `ValidationError` if it isn't running or still has rounds.

    Its groups stay, because the draws that were taken back name them.
    """
    with _stage_change(stage, actor) as (journal, stage_row):
        rounds = StageRound.objects.filter(stage=stage_row).exclude(status__in=NO_ROUND)
        if stage_row.status != Stage.Status.RUNNING or rounds.exists():
            raise ValidationError(
                gettext("You can only reset a stage without rounds. Take its rounds back first.")
            )
        Participant.objects.filter(stage=stage_row).delete()
        Stage.objects.filter(pk=stage.pk).update(gone=[], kept="")
        _set_status(stage_row, Stage.Status.PLANNED)
        journal.add(StageAction.CHANGED, stage.public_id, {"started": False})
        journal.record(STAGE, [stage], ["status", "gone", "kept"])
        if stage_row.by_division:
            journal.record(GROUP, Group.objects.filter(stage=stage_row))


def stage_resume(*, stage: Stage, actor: Actor) -> None:
    """Reopen a finished stage. Raise `ValidationError` if it isn't finished, its event isn't
    running or a later stage has started."""
    with _stage_change(stage, actor) as (journal, stage_row):
        if stage_row.status != Stage.Status.FINISHED:
            raise ValidationError(gettext("This stage isn’t finished."))
        refuse_unless_running(stage_row.event)
        later_stages = Stage.objects.filter(event=stage.event_id, number__gt=stage_row.number)
        if later_stages.exclude(status=Stage.Status.PLANNED).exists():
            raise ValidationError(gettext("The next stage has started. Reset that one first."))
        last_round = (
            StageRound.objects.filter(stage=stage_row)
            .exclude(status__in=NO_ROUND)
            .order_by("-number")
            .first()
        )
        _set_status(stage_row, Stage.Status.RUNNING)

        payload: dict[str, Any] = {"finished": False}
        if stage_row.secret:
            _renew_secret(stage_row)
            payload["commitment"] = stage_row.commitment
        journal.add(StageAction.CHANGED, stage.public_id, payload)
        journal.record(STAGE, [stage], ["status", "commitment"])
        if last_round is not None:
            StageRound.objects.filter(pk=last_round.pk).update(status=StageRound.Status.PUBLISHED)
            journal.record(ROUND, [last_round], ["status"])


def stage_finish(*, stage: Stage, actor: Actor) -> None:
    """Finish a stage and publish its secret. Raise `ValidationError` if it isn't running or a table
    isn't finished."""
    with _stage_change(stage, actor) as (journal, stage_row):
        refuse_unless_running(stage_row.event)
        if stage_row.status != Stage.Status.RUNNING:
            raise ValidationError(gettext("This stage isn’t under way."))
        facts = stage_course(stage_row)
        refuse_unfinished(facts)
        _set_status(stage_row, Stage.Status.FINISHED)
        payload = {"secret": stage_row.secret} if stage_row.secret else {}
        journal.add(StageAction.FINISHED, stage.public_id, payload)
        journal.record(STAGE, [stage], ["status"])
        rounds_finish(journal, facts)


@contextmanager
def _stage_change(stage: Stage, actor: Actor) -> Iterator[tuple[Journal, Stage]]:
    """Yield the journal and the stage's row in a transaction that holds the lock of the event;
    reload `stage` afterwards."""
    with course_journal(stage.event, actor) as journal:
        yield journal, Stage.objects.select_related("event__season").get(pk=stage.pk)
    stage.refresh_from_db()


def _renew_secret(stage: Stage) -> None:
    """Give a reopened stage another secret: its old one was published when it finished."""
    stage.secret = new_secret()
    Stage.objects.filter(pk=stage.pk).update(secret=stage.secret)


def _set_status(stage: Stage, status: str) -> None:
    Stage.objects.filter(pk=stage.pk).update(status=status, version=F("version") + 1)


def _refuse_player_count(stage: Stage, groups: GroupPlan, count: int) -> None:
    least = LEAST if stage.by_division else LEAST * stage.groups
    if count < least:
        raise ValidationError(
            gettext(
                "This stage needs at least %(least)d players but has only %(count)d. Check in "
                "more, "
                "or change the stage."
            )
            % {"count": count, "least": least}
        )
    most = table_sizes(stage.event.season, stage.format_rules)[-1]
    if stage.format_rules.one_table and count > most:
        raise ValidationError(
            gettext(
                "A final table has at most %(most)d seats, but %(count)d players would sit there."
            )
            % {"most": most, "count": count}
        )
    fault = seating_fault(stage, groups)
    if fault:
        raise ValidationError(fault)


def _create_participants(
    stage: Stage, groups: GroupPlan, entrants: Sequence[tuple[Entry, int]]
) -> list[Group]:
    """Store the groups of a stage, and its participants in the order of the seeding; return the
    groups. `entrants`: each with the points that they bring."""
    # Groups of an earlier start stay, because draws name them; they get their names of today.
    Group.objects.bulk_create(
        [
            Group(stage=stage, number=number, name=name)
            for number, name in enumerate(groups.names, start=1)
        ],
        update_conflicts=True,
        unique_fields=["stage", "number"],
        update_fields=["name"],
    )
    group_rows = list(
        Group.objects.filter(stage=stage, number__lte=len(groups.names)).order_by("number")
    )
    participants: list[Participant] = []
    for number, (entry, carried) in zip(groups.numbers, entrants, strict=True):
        participants.append(
            Participant(
                stage=stage,
                entry=entry,
                group=group_rows[number - 1],
                seed=1 + len(participants),
                carried=carried,
            )
        )
    Participant.objects.bulk_create(participants)
    return group_rows


@transaction.atomic
def stage_set_back(*, stage: Stage, actor: Actor) -> None:
    """Set a stage and all stages after it back to planned, so that they can be changed and started
    again. Their rounds are taken back, with results. Raise `ValidationError` unless the event is
    running."""
    transaction_lock_patient(Space.EVENT, stage.event_id)
    stages = Stage.objects.select_related("event").filter(
        event=stage.event_id, number__gte=stage.number
    )
    for later in stages.exclude(status=Stage.Status.PLANNED).order_by("-number"):
        if later.status == Stage.Status.FINISHED:
            stage_resume(stage=later, actor=actor)
        rounds = StageRound.objects.select_related("stage__event").filter(stage=later)
        first = rounds.exclude(status__in=NO_ROUND).order_by("number").first()
        if first is not None:
            round_take_back(stage_round=first, actor=actor, with_results=True)
        stage_start_undo(stage=later, actor=actor)


@transaction.atomic
def course_take_back(*, stage_round: StageRound, actor: Actor, void: Collection[str] = ()) -> None:
    """Take back a round, all rounds after it and all later stages. `void`: the public ids of games
    played there that are voided, too. Raise `ValidationError` unless the event is running, and if
    there is no reason though games are voided or the event has ended."""
    stage = stage_round.stage
    transaction_lock_patient(Space.EVENT, stage.event_id)
    table_games_void(games=void, among=course_games(stage_round), actor=actor)
    stage_after = (
        Stage.objects.select_related("event")
        .filter(event=stage.event_id, number=stage.number + 1)
        .first()
    )
    if stage_after is not None:
        stage_set_back(stage=stage_after, actor=actor)
    if Stage.objects.get(pk=stage.pk).status == Stage.Status.FINISHED:
        stage_resume(stage=stage, actor=actor)
    round_take_back(stage_round=stage_round, actor=actor, with_results=True)


def course_games(stage_round: StageRound) -> QuerySet[TableGame]:
    """Return the games that stop counting in the event when a round is taken back: those of its
    tables, of later rounds and of later stages."""
    stage = stage_round.stage
    later_rounds = StageRound.objects.filter(
        stage__event=stage.event_id, stage__number__gt=stage.number
    )
    later_games = TableGame.objects.filter(
        table__stage_round__in=later_rounds.exclude(status__in=NO_ROUND)
    )
    return games_from(stage_round) | later_games
