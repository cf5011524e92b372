"""Rounds of a stage: requested, drawn by a job, changed by hand, published, taken back."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from hashlib import sha256
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import F, QuerySet
from django.utils.translation import gettext

from engine.illegal import Illegal
from engine.messages import Message, say
from engine.pairing.cost import cost_of
from engine.pairing.draw_file import read_draw
from engine.pairing.draw_input import DrawInput
from engine.pairing.why import why
from engine.record.canonical import canonical_json
from league.core.jobs import call_on_commit
from league.core.locks import Space, transaction_lock, transaction_lock_patient
from league.core.log.services import Actor, Journal, club_journal
from league.events.event.models import Event
from league.events.event.services import (
    course_journal,
    event_hold,
    refuse_unless_running,
    refuse_unreasoned,
)
from league.events.helper.queries import event_acting_role
from league.stages.draw.domain import Drawn, drawn_next
from league.stages.draw.models import DRAW, Draw
from league.stages.draw.queries.draw import pairs_apart
from league.stages.placing.domain.place import has_winner
from league.stages.result.services.void import table_games_void
from league.stages.round.actions import RoundAction
from league.stages.round.models import ROUND, StageRound
from league.stages.stage.domain.facts import NO_ROUND, StageDraw, StageFacts, StageTable
from league.stages.stage.domain.table_name import own_place
from league.stages.stage.models import Stage
from league.stages.stage.queries.facts import stage_course, stage_facts
from league.stages.stage.queries.latecomer import HAS_LATE
from league.stages.stage.services.latecomer import stage_join
from league.stages.stage.services.stage import refuse_unfinished, rounds_finish
from league.stages.stage.services.version import version_raise
from league.stages.table.models import Table, TableGame, TableScore, TableSeat
from league.stages.table.services.table import tables_drawn

Status = StageRound.Status
ATTEMPTS: Final = 10
"""How often a worker may try to draw a round, counting tries at which the event was locked."""


def round_ask(
    *, stage: Stage, actor: Actor, at_once: bool = False, ahead: bool = False
) -> StageRound:
    """Request the next round: store a row, take latecomers into the stage, and call the job that
    draws it. Its clock gets the minutes of the round before.

    With `at_once` the round is published as soon as it is drawn; with `ahead` all planned rounds
    after it are drawn and published, too. Raise `ValidationError` if the event or the stage isn't
    running, a table isn't finished (unless `ahead`), all planned rounds are played, the round has
    been requested already, or the format can't draw without results."""
    try:
        with course_journal(stage.event, actor) as journal:
            stage_row = (
                Stage.objects.select_related("event").annotate(has_late=HAS_LATE).get(pk=stage.pk)
            )
            _refuse_drawing(stage_row)
            facts = stage_course(stage_row)
            if ahead and not stage_row.format_rules.drawn_ahead:
                raise ValidationError(
                    gettext("In this format, each draw needs the results of the rounds before it.")
                )
            refuse_unfinished(facts, open_tables=ahead)

            if stage_row.has_late:
                stage_join(journal, event_hold(stage.event))
            _refuse_played_out(facts)

            new_round = _request_round(journal, facts, at_once=at_once or ahead, ahead=ahead)
            if not ahead:
                rounds_finish(journal, facts)
    except IntegrityError as error:
        raise ValidationError(gettext("This round is already being drawn.")) from error
    return new_round


def _refuse_drawing(stage: Stage) -> None:
    refuse_unless_running(stage.event)
    if stage.status != Stage.Status.RUNNING:
        raise ValidationError(gettext("Start the stage first."))
    if stage.format_rules.undrawn:
        raise ValidationError(gettext("This format has no draw. Choose who sits down together."))


def _refuse_played_out(facts: StageFacts) -> None:
    stage = facts.stage
    if stage.rounds and facts.last_number >= stage.rounds and not stage.knock_out:
        raise ValidationError(
            gettext("All %(count)d rounds are played. Plan one more, or finish the stage.")
            % {"count": stage.rounds}
        )
    if stage.format_rules.plays_to_the_end and has_winner(facts):
        raise ValidationError(gettext("This stage is over. Finish it."))


def _request_round(
    journal: Journal, facts: StageFacts, *, at_once: bool, ahead: bool
) -> StageRound:
    stage = facts.stage
    number = 1 + facts.last_number
    minutes = facts.rounds[-1].minutes if facts.rounds else None
    earlier_requests = [stage_round for stage_round in facts.void if stage_round.number == number]
    edition = 1 + len(earlier_requests)
    new_round = StageRound.objects.create(
        stage=stage, number=number, edition=edition, at_once=at_once, ahead=ahead, minutes=minutes
    )

    payload: dict[str, Any] = {
        "stage": stage.public_id,
        "number": number,
        "edition": edition,
        "at_once": at_once,
    }
    if ahead:
        payload["ahead"] = True
    payload["role"] = event_acting_role(stage.event, journal.actor.account_id)
    journal.add(RoundAction.ASKED, new_round.public_id, payload)
    journal.state(ROUND, [new_round])
    call_on_commit("stages.round.tasks.draw_round", new_round.pk)
    return new_round


def round_draw(*, round_id: int) -> None:
    """Draw a requested round: store the draws as facts, and the tables made from them. Do nothing
    if the round is drawn already. Raise `Busy` if the event is locked.

    A round that can't be drawn ends as failed, with the reason. A round drawn `ahead` is published,
    and the next planned one requested.
    """
    event = StageRound.objects.select_related("stage__event").get(pk=round_id).stage.event
    with club_journal(event.club_id, Actor()) as journal:
        transaction_lock(Space.EVENT, event.pk)
        stage_round = StageRound.objects.select_related("stage__event").get(pk=round_id)
        if stage_round.status != Status.ASKED:
            return
        if stage_round.stage.event.status != Event.Status.RUNNING:
            _mark_failed(journal, stage_round, say("the event was stopped meanwhile"))
            return

        facts = stage_facts(stage_round.stage)
        draws_by_group = _drawn_by_group(facts, stage_round)
        if isinstance(draws_by_group, Illegal):
            _mark_failed(journal, stage_round, draws_by_group.message)
            return

        draws = _store_draws_and_tables(journal, stage_round, facts, draws_by_group)
        payload = {"number": stage_round.number, "draws": _draws_logged(facts, draws)}
        journal.add(RoundAction.DRAWN, stage_round.public_id, payload)
        journal.state(DRAW, draws)
        _set_status(journal, stage_round, Status.PUBLISHED if stage_round.at_once else Status.DRAWN)
        if stage_round.ahead and facts.last_number < (facts.stage.rounds or 0):
            _request_round(journal, facts, at_once=True, ahead=True)


def _drawn_by_group(facts: StageFacts, stage_round: StageRound) -> dict[int, Drawn] | Illegal:
    apart = pairs_apart(facts.stage)
    answers = {
        group.pk: drawn_next(facts, group.pk, stage_round, apart) for group in facts.groups_left
    }
    drawn: dict[int, Drawn] = {}
    for group, answer in answers.items():
        if isinstance(answer, Illegal):
            return answer
        drawn[group] = answer
    return drawn


def round_attempt(*, round_id: int) -> bool:
    """Count a worker's attempt to draw a round, before the work; return False if there is nothing
    left to draw.

    A round at which workers have failed or died `ATTEMPTS` times ends as failed.
    """
    waiting = StageRound.objects.filter(pk=round_id, status=Status.ASKED)
    if waiting.filter(attempts__lt=ATTEMPTS).update(attempts=F("attempts") + 1):
        return True
    if waiting.exists():
        round_fail(
            round_id=round_id, why=say("the service failed at this draw; tell the operators")
        )
    return False


def round_fail(*, round_id: int, why: Message) -> bool:
    """Store that a round couldn't be drawn, and why, so that it can be requested again; return
    False if it isn't waiting to be drawn."""
    stage_round = StageRound.objects.select_related("stage__event").get(pk=round_id)
    with course_journal(stage_round.stage.event) as journal:
        if not StageRound.objects.filter(pk=round_id, status=Status.ASKED).exists():
            return False
        _mark_failed(journal, stage_round, why)
    return True


def _mark_failed(journal: Journal, stage_round: StageRound, why: Message) -> None:
    StageRound.objects.filter(pk=stage_round.pk).update(status=Status.FAILED, failure=why.as_json())
    version_raise(pk=stage_round.stage_id)
    journal.add(RoundAction.FAILED, stage_round.public_id, {"number": stage_round.number})
    journal.state(ROUND, [stage_round], ["status"])


def _draws_logged(facts: StageFacts, draws: Sequence[Draw]) -> dict[str, Any]:
    """Return what the log stores about draws, by public id. The SHA-256 of their files lets a
    published head of the log prove them, too."""
    numbers = {group.pk: group.number for group in facts.groups}
    return {
        draw.public_id: {
            "group": numbers[draw.group_id],
            "revision": draw.revision,
            "by_hand": draw.by_hand,
            "input": sha256(draw.input.encode()).hexdigest(),
            "answer": sha256(draw.answer.encode()).hexdigest(),
        }
        for draw in draws
    }


def _store_draws_and_tables(
    journal: Journal, stage_round: StageRound, facts: StageFacts, draws_by_group: dict[int, Drawn]
) -> list[Draw]:
    draws = Draw.objects.bulk_create(
        Draw(
            stage_round=stage_round,
            group_id=group,
            input=answer.input_text,
            answer=answer.answer,
            made_at=journal.at,
        )
        for group, answer in draws_by_group.items()
    )
    _create_tables(stage_round, facts, draws_by_group)
    tables_drawn(stage_round)
    return draws


def _create_tables(
    stage_round: StageRound, facts: StageFacts, draws_by_group: dict[int, Drawn]
) -> None:
    tables: list[Table] = []
    seats: list[Sequence[str]] = []
    for group, answer in draws_by_group.items():
        for ids, label in zip(answer.tables, answer.labels, strict=True):
            number = len(tables) + 1
            tables.append(
                Table(
                    stage_round=stage_round,
                    group_id=group,
                    number=number,
                    label=label,
                    place=own_place(facts.stage, stage_round.number, number),
                )
            )
            seats.append(ids)

    Table.objects.bulk_create(tables)
    entries = {member.entry_id: member.entry for member in facts.members.values()}
    rows = []
    for table, entry_ids in zip(tables, seats, strict=True):
        for seat, entry_id in enumerate(entry_ids):
            rows.append(TableSeat(table=table, seat=seat, entry_id=entries[entry_id]))
    TableSeat.objects.bulk_create(rows)


def round_publish(*, stage_round: StageRound, actor: Actor) -> bool:
    """Publish a drawn round; return False if it is published already. Raise `ValidationError` if
    the event isn't running or the round isn't drawn."""
    stage = stage_round.stage
    with course_journal(stage.event, actor) as journal:
        row = StageRound.objects.select_related("stage__event").get(pk=stage_round.pk)
        if row.status in (Status.PUBLISHED, Status.FINISHED):
            return False
        refuse_unless_running(row.stage.event)
        if row.status != Status.DRAWN:
            raise ValidationError(gettext("There is no draw to publish."))
        _set_status(journal, row, Status.PUBLISHED)
    stage_round.status = Status.PUBLISHED
    return True


def _set_status(journal: Journal, stage_round: StageRound, status: StageRound.Status) -> None:
    StageRound.objects.filter(pk=stage_round.pk).update(status=status)
    version_raise(pk=stage_round.stage_id)
    if status == Status.PUBLISHED:
        journal.add(RoundAction.PUBLISHED, stage_round.public_id, {"number": stage_round.number})
    journal.state(ROUND, [stage_round], ["status"])


@transaction.atomic
def round_take_back(
    *, stage_round: StageRound, actor: Actor, with_results: bool = False, void: Collection[str] = ()
) -> None:
    """Undo a round and all rounds after it. Their draws stay in the record and count for nothing;
    published rounds stay readable, with the reason. `void`: the public ids of games in them that
    are voided, too.

    Raise `ValidationError` if a table has other results, unless `with_results` is given: then the
    games stay sealed and count in the season, but no longer in the stage. Also raise it without a
    reason once the event has ended, or if games are voided.
    """
    stage = stage_round.stage
    transaction_lock_patient(Space.EVENT, stage.event_id)
    table_games_void(games=void, among=games_from(stage_round), actor=actor)
    with club_journal(stage.event.club_id, actor) as journal:
        if Stage.objects.get(pk=stage.pk).status == Stage.Status.FINISHED:
            raise ValidationError(gettext("This stage is finished."))
        refuse_unreasoned(Event.objects.get(pk=stage.event_id), actor)

        rounds = list(
            StageRound.objects.filter(stage=stage, number__gte=stage_round.number)
            .exclude(status__in=NO_ROUND)
            .order_by("-number")
        )
        if not with_results and TableScore.objects.filter(table__stage_round__in=rounds).exists():
            raise ValidationError(
                gettext("A table already has results. They would no longer count here.")
            )

        role = event_acting_role(stage.event, actor.account_id)
        for row in rounds:
            StageRound.objects.filter(pk=row.pk).update(status=Status.TAKEN_BACK)
            payload = {
                "number": row.number,
                "role": role,
                "status_before": row.status,
                "status": Status.TAKEN_BACK,
                "games": TableScore.objects.filter(table__stage_round=row).count(),
            }
            journal.add(RoundAction.TAKEN_BACK, row.public_id, payload)
            journal.state(ROUND, [row], ["status"])
        version_raise(pk=stage.pk)
    stage_round.refresh_from_db()


def games_from(stage_round: StageRound) -> QuerySet[TableGame]:
    """Return the games at the tables of a round and of all later rounds of its stage, except rounds
    that were taken back."""
    rounds = StageRound.objects.filter(stage=stage_round.stage_id, number__gte=stage_round.number)
    return TableGame.objects.filter(table__stage_round__in=rounds.exclude(status__in=NO_ROUND))


def round_change(
    *,
    stage_round: StageRound,
    tables: Sequence[Sequence[str]],
    draws_seen: Collection[str],
    actor: Actor,
) -> bool:
    """Change the seating of a drawn round: `tables` are ids of entries in seat order, in the order
    of the tables' numbers. Store the change as a fact with its reason and its cost; return False if
    nothing changed.

    `draws_seen` are the public ids of the draws that the change is based on. Raise
    `ValidationError` if one of them has changed since, there is no reason, the format has no draw,
    a table has results, a player is at two tables or at none, or a table's size isn't allowed."""
    stage = stage_round.stage
    if not actor.reason:
        raise ValidationError(
            {"reason": gettext("Say why you’re changing the draw. Everybody can read it.")}
        )
    if stage.format_rules.undrawn:
        raise ValidationError(gettext("This format has no draw. Choose who sits down together."))
    with course_journal(stage.event, actor) as journal:
        refuse_settled(stage_round)
        facts = stage_facts(stage)
        rows = [table for table in facts.tables if table.round_number == stage_round.number]
        refuse_seating(facts, rows, tables)

        seats_by_table = dict(zip([row.pk for row in rows], tables, strict=True))
        changed_tables = [row for row in rows if facts.ids(row) != tuple(seats_by_table[row.pk])]
        changed_draws = _draws_of(facts, changed_tables)
        if any(draw.public_id not in draws_seen for draw in changed_draws):
            raise ValidationError(
                gettext("Somebody else has just changed this draw. Check it again.")
            )

        revisions = []
        for draw in changed_draws:
            seats = [tuple(seats_by_table[row.pk]) for row in rows if row.group == draw.group]
            revisions.append(
                _store_revision(journal, stage_round, draw, answer_by_hand(draw, seats))
            )
        _replace_seats(facts, changed_tables, seats_by_table)

        if changed_draws:
            version_raise(pk=stage.pk)
            payload = {
                "number": stage_round.number,
                "draws": _draws_logged(facts, revisions),
                "role": event_acting_role(stage.event, actor.account_id),
            }
            journal.add(RoundAction.CHANGED, stage_round.public_id, payload)
            journal.state(DRAW, revisions)
    return bool(changed_draws)


def _draws_of(facts: StageFacts, tables: Sequence[StageTable]) -> list[StageDraw]:
    keys = {(table.round_number, table.group) for table in tables}
    return [draw for draw in facts.draws if (draw.round_number, draw.group) in keys]


def refuse_settled(stage_round: StageRound) -> None:
    """Raise `ValidationError` if the tables of a round can't be changed any more."""
    row = StageRound.objects.select_related("stage__event").get(pk=stage_round.pk)
    refuse_unless_running(row.stage.event)
    if row.status not in (Status.DRAWN, Status.PUBLISHED):
        raise ValidationError(gettext("This round can’t be changed any more."))
    tables = Table.objects.filter(stage_round=stage_round)
    if tables.filter(finished=True).exists() or TableGame.objects.filter(table__in=tables).exists():
        raise ValidationError(
            gettext("A table already has results. Take the round back, or play on.")
        )


def refuse_seating(
    facts: StageFacts, rows: Sequence[StageTable], tables: Sequence[Sequence[str]]
) -> None:
    """Raise `ValidationError` unless `tables` seat exactly the players who were drawn, each in
    their own group, at tables of allowed sizes."""
    stage = facts.stage
    if len(tables) != len(rows):
        raise ValidationError(gettext("There must be as many tables as were drawn."))

    for group in facts.groups:
        drawn: list[str] = []
        seated: list[str] = []
        for row, ids in zip(rows, tables, strict=True):
            if row.group == group.pk:
                drawn += facts.ids(row)
                seated += ids
        if sorted(seated) != sorted(drawn):
            raise ValidationError(
                gettext("Everybody in the draw must sit at exactly one table, in their own group.")
            )

    if stage.knock_out and any(
        set(facts.ids(row)) != set(ids) for row, ids in zip(rows, tables, strict=True)
    ):
        raise ValidationError(
            gettext(
                "In a knock-out the bracket decides who meets whom. Only the seats at a table can "
                "be changed."
            )
        )

    most = max(stage.sizes)
    sizes_fit = all(2 <= len(ids) <= most for ids in tables)
    if not sizes_fit and not stage.format_rules.one_table:
        raise ValidationError(gettext("A table has 2 to %(most)d seats here.") % {"most": most})


def answer_by_hand(draw: StageDraw, tables: Sequence[tuple[str, ...]]) -> str:
    """Return the answer of a draw, as JSON, with other tables and, where it can be computed, their
    cost."""
    answer: dict[str, Any] = {**json.loads(draw.answer), "tables": [list(ids) for ids in tables]}
    draw_input = read_draw(draw.input_text)
    if isinstance(draw_input, DrawInput):
        answer.pop("price", None)
        answer["cost"] = cost_of(draw_input, tables, tuple(answer["bye"])).as_json()
        answer["why"] = [" ".join(sentences) for sentences in why(draw_input, tables, by_hand=True)]
    return canonical_json(answer).decode()


def _store_revision(
    journal: Journal, stage_round: StageRound, draw: StageDraw, answer: str
) -> Draw:
    return Draw.objects.create(
        stage_round=stage_round,
        group_id=draw.group,
        revision=draw.revision + 1,
        input=draw.input_text,
        answer=answer,
        by_hand=True,
        reason=journal.actor.reason,
        made_at=journal.at,
        made_by_id=journal.actor.account_id,
    )


def _replace_seats(
    facts: StageFacts, rows: Sequence[StageTable], seats_by_table: Mapping[int, Sequence[str]]
) -> None:
    entries = {member.entry_id: member.entry for member in facts.members.values()}
    TableSeat.objects.filter(table__in=[row.pk for row in rows]).delete()
    seats = []
    for row in rows:
        for seat, entry_id in enumerate(seats_by_table[row.pk]):
            seats.append(TableSeat(table_id=row.pk, seat=seat, entry_id=entries[entry_id]))
    TableSeat.objects.bulk_create(seats)


def rounds_waiting() -> list[int]:
    """Return the ids of the rounds that are requested and not drawn, oldest request first."""
    return list(
        StageRound.objects.filter(status=Status.ASKED)
        .order_by("asked_at")
        .values_list("pk", flat=True)
    )
