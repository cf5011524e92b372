"""Timetables: requested, made by a job, changed by hand, published, taken back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha256
from typing import TYPE_CHECKING

from django.core.exceptions import ValidationError
from django.db.models import F
from django.utils.translation import gettext

from engine.illegal import Illegal
from engine.messages import Message, say
from engine.pairing.timetables.timetable_input import TimetableInput, timetable_fault
from league.core.jobs import call_on_commit
from league.core.locks import Space, session_lock
from league.core.log.services import Actor, Journal
from league.events.event.models import Event
from league.events.event.services import course_journal
from league.floor.hall.models import HallPlace, Slot
from league.floor.hall.services import hall_change, tables_tell
from league.floor.timetable.actions import TimetableAction
from league.floor.timetable.domain.timetable import (
    TableKey,
    Timed,
    input_json,
    input_read,
    timetable_input,
)
from league.floor.timetable.models import TIMETABLE, Timetable, TimetableTable, tables_digests
from league.floor.timetable.queries import timed_tables, timetable_facts
from league.stages.stage.models import Stage

if TYPE_CHECKING:
    from engine.pairing.timetables.timetable import Timetable as MadeTimetable

Status = Timetable.Status


def timetable_ask(*, event: Event, first: Slot | None, ahead: bool, actor: Actor) -> Timetable:
    """Request a timetable of all drawn tables that aren't finished, from the slot `first` on, and
    with `ahead` also of the rounds to come. A job makes it. A timetable that isn't published is
    dropped.

    Raise `ValidationError` if there is nothing to plan, or no place or time to plan with, if there
    is more than can be planned, or while a timetable is being made.
    """
    with hall_change(event, actor) as journal:
        facts = timetable_facts(event)
        if facts.draft and facts.draft.status == Status.ASKED:
            raise ValidationError(gettext("A timetable is being made already."))
        planned_input = timetable_input(facts, ahead=ahead, first=first)
        _refuse_empty(planned_input)
        if fault := timetable_fault(planned_input):
            raise ValidationError(fault.message.translated(gettext))
        if facts.draft:
            _drop(journal, facts.draft)
        timetable = Timetable.objects.create(
            event=event, ahead=ahead, input=input_json(planned_input)
        )
        journal.add(
            TimetableAction.ASKED,
            timetable.public_id,
            {
                "event": event.public_id,
                "tables": len(planned_input.tables),
                "input": sha256(timetable.input.encode()).hexdigest(),
            },
        )
        journal.record(TIMETABLE, [timetable])
        call_on_commit("floor.timetable.tasks.make_timetable", timetable.pk)
    return timetable


def timetable_make(*, timetable_id: int) -> None:
    """Make a requested timetable. Do nothing if it isn't waiting to be made.

    The search keeps nobody waiting, because it uses the input that was stored with the request.
    Raise `Busy` while another process makes it, or changes the event.
    """
    # It imports OR-Tools and pandas, so only the job that searches does it.
    from engine.pairing.timetables.timetable import Impossible, timetable

    with session_lock(Space.TIMETABLE, timetable_id):
        row = Timetable.objects.select_related("event").get(pk=timetable_id)
        if row.status != Status.ASKED:
            return
        result = timetable(input_read(row.input))
        if isinstance(result, Illegal | Impossible):
            reasons = (result.message,) if isinstance(result, Illegal) else result.reasons
            timetable_fail(timetable_id=timetable_id, reasons=reasons)
        else:
            _store_result(row, result)


def timetable_fail(*, timetable_id: int, reasons: Sequence[Message]) -> bool:
    """Store that a timetable couldn't be made, and why. Return False if it isn't waiting to be
    made."""
    row = Timetable.objects.select_related("event").get(pk=timetable_id)
    with course_journal(row.event) as journal:
        return _fail(journal, row, reasons)


def _fail(journal: Journal, row: Timetable, reasons: Sequence[Message]) -> bool:
    """Store that a timetable couldn't be made, in the caller's transaction. Return False if it
    isn't waiting to be made."""
    waiting = Timetable.objects.filter(pk=row.pk, status=Status.ASKED)
    if not waiting.update(status=Status.FAILED, failure=[reason.as_json() for reason in reasons]):
        return False
    journal.add(TimetableAction.FAILED, row.public_id)
    journal.record(TIMETABLE, [row], ["status"])
    return True


def _store_result(row: Timetable, result: MadeTimetable) -> None:
    """Store the timetable that the search found, unless it was taken back meanwhile. If one of its
    places or slots was deleted meanwhile, store that it failed."""
    with course_journal(row.event) as journal:
        slots = dict(Slot.objects.filter(event=row.event_id).values_list("public_id", "pk"))
        places = dict(HallPlace.objects.filter(event=row.event_id).values_list("public_id", "pk"))
        stages = dict(Stage.objects.filter(event=row.event_id).values_list("public_id", "pk"))
        if any(
            slot not in slots or place not in places for slot, place in result.assignment.values()
        ):
            _fail(journal, row, [say("spots or times were removed in the meantime; ask again")])
            return
        cost = [[wish, result.cost[wish], result.bound[wish]] for wish in result.cost]
        if not Timetable.objects.filter(pk=row.pk, status=Status.ASKED).update(
            status=Status.READY, cost=cost
        ):
            return
        keys = {table_id: key_of(table_id) for table_id in result.assignment}
        TimetableTable.objects.bulk_create(
            TimetableTable(
                timetable=row,
                stage_id=stages[keys[table_id].stage],
                round=keys[table_id].round_number,
                number=keys[table_id].number,
                slot_id=slots[slot],
                place_id=places[place],
            )
            for table_id, (slot, place) in result.assignment.items()
            if keys[table_id].stage in stages
        )
        payload = {
            "tables": len(result.assignment),
            "cost": {wish: number for wish, number, _ in cost},
            "digest": tables_digests([row.pk])[row.pk],
        }
        journal.add(TimetableAction.MADE, row.public_id, payload)
        journal.record(TIMETABLE, [row], ["status", "tables"])


def key_of(table_id: str) -> TableKey:
    """Return the key of the table with this id in an input."""
    stage, round_number, number = table_id.split(".")
    return TableKey(stage, int(round_number), int(number))


def timetable_move(
    *, timetable: Timetable, moves: Mapping[TableKey, Timed], version_seen: int, actor: Actor
) -> bool:
    """Move tables to other times or places, for a reason. In a published timetable everybody sees
    the change at once. Return False if nothing changed.

    `version_seen` is the version of the timetable that the change is based on. Raise
    `ValidationError` if somebody else has changed the timetable since, there is no reason, or the
    timetable isn't in use any more.
    """
    event = timetable.event
    if not actor.reason:
        raise ValidationError({"reason": gettext("Say why you’re changing the timetable.")})
    with _timetable_change(timetable, actor) as (journal, timetable_row):
        if timetable_row.status not in (Status.READY, Status.PUBLISHED):
            raise ValidationError(gettext("This timetable is no longer in use."))
        if timetable_row.version != version_seen:
            raise ValidationError(
                gettext("Somebody else has changed the timetable in the meantime. Check it again.")
            )
        before = timed_tables([timetable_row]).get(timetable_row.pk, {})
        changed_tables = {key: timed for key, timed in moves.items() if before.get(key) != timed}
        stages = {row.public_id: row for row in Stage.objects.filter(event=event)}
        for key, timed in changed_tables.items():
            TimetableTable.objects.update_or_create(
                timetable=timetable_row,
                stage=stages[key.stage],
                round=key.round_number,
                number=key.number,
                defaults={"slot": timed.slot, "place": timed.place},
            )
        if changed_tables:
            digest = tables_digests([timetable_row.pk])[timetable_row.pk]
            for key, timed in changed_tables.items():
                change = {
                    "before": _logged_time_and_place(before.get(key)),
                    "after": _logged_time_and_place(timed),
                    "digest": digest,
                }
                journal.add(
                    TimetableAction.CHANGED, timetable_row.public_id, {"table": str(key), **change}
                )
            journal.record(TIMETABLE, [timetable_row], ["tables"])
            Timetable.objects.filter(pk=timetable_row.pk).update(version=F("version") + 1)
            if timetable_row.status == Status.PUBLISHED:
                tables_tell(event.pk)
    return bool(changed_tables)


def timetable_publish(*, timetable: Timetable, actor: Actor) -> bool:
    """Publish a timetable in place of the one before, and store its times and places at the tables
    that are drawn. Return False if it is published already.

    Raise `ValidationError` if it isn't ready.
    """
    event = timetable.event
    with _timetable_change(timetable, actor) as (journal, row):
        if row.status == Status.PUBLISHED:
            return False
        if row.status != Status.READY:
            raise ValidationError(gettext("There is no timetable to publish."))
        for former_timetable in Timetable.objects.filter(event=event, status=Status.PUBLISHED):
            _drop(journal, former_timetable)
        Timetable.objects.filter(pk=row.pk).update(status=Status.PUBLISHED)
        tables = timed_tables([row]).get(row.pk, {})
        tables_tell(event.pk)
        journal.add(TimetableAction.PUBLISHED, row.public_id, {"tables": len(tables)})
        journal.record(TIMETABLE, [row], ["status"])
    return True


def timetable_take_back(*, timetable: Timetable, actor: Actor) -> bool:
    """Take back a timetable: stop its making, drop it if it isn't published, or else return it to
    being ready, unless another one has been requested since. If it was published, its tables are no
    longer said to be at a place and a time. Return False if it was dropped before."""
    with _timetable_change(timetable, actor) as (journal, row):
        if row.status == Status.DROPPED:
            return False
        later_timetables = Timetable.objects.filter(event=timetable.event, pk__gt=row.pk).exclude(
            status=Status.DROPPED
        )
        stays_ready = row.status == Status.PUBLISHED and not later_timetables.exists()
        _drop(journal, row, Status.READY if stays_ready else Status.DROPPED)
    return True


@contextmanager
def _timetable_change(timetable: Timetable, actor: Actor) -> Iterator[tuple[Journal, Timetable]]:
    """Open a transaction in which nobody else changes the course of the event. Yield its journal
    and the timetable's row, and reload `timetable` afterwards. Raise `ValidationError` if the event
    is over."""
    with hall_change(timetable.event, actor) as journal:
        yield journal, Timetable.objects.get(pk=timetable.pk)
    timetable.refresh_from_db()


def timetables_waiting() -> list[int]:
    """Return the ids of the timetables that are requested and not made, oldest request first."""
    return list(
        Timetable.objects.filter(status=Status.ASKED)
        .order_by("asked_at")
        .values_list("pk", flat=True)
    )


def _refuse_empty(planned_input: TimetableInput) -> None:
    if not planned_input.tables:
        raise ValidationError(
            gettext("There are no tables to plan: start a stage and draw a round.")
        )
    if not planned_input.places:
        raise ValidationError(gettext("Add spots to play at first."))
    if not planned_input.slots:
        raise ValidationError(gettext("Add times of play first."))


def _drop(journal: Journal, timetable: Timetable, status: str = Status.DROPPED) -> None:
    """Take a timetable out of use: drop it or, with the status `READY`, only unpublish it. If it
    was published, its tables are no longer said to be at a place and a time."""
    Timetable.objects.filter(pk=timetable.pk).update(status=status)
    if timetable.status == Status.PUBLISHED:
        tables_tell(timetable.event_id)
    payload = {"status": status} if status == Status.READY else {"status": status, "digest": ""}
    journal.add(TimetableAction.DROPPED, timetable.public_id, payload)
    journal.record(TIMETABLE, [timetable], ["status", "tables"])


def _logged_time_and_place(timed: Timed | None) -> list[str] | None:
    return [timed.slot.starts_at.isoformat(), str(timed.place)] if timed else None
