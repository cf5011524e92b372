"""Timetables: asked for, made by a job, moved by hand, published, taken back."""

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
    """Ask for a timetable of all tables that are drawn and not finished, from the slot `first` on;
    `ahead`: and of the rounds still to come. A job makes it. One that isn't published is dropped.

    Raise `ValidationError`: nothing to plan, or with; more than can be planned; one is being made.
    """
    with hall_change(event, actor) as journal:
        facts = timetable_facts(event)
        if facts.draft and facts.draft.status == Status.ASKED:
            raise ValidationError(gettext("A timetable is being made already."))
        timetable_input_now = timetable_input(facts, ahead=ahead, first=first)
        _refuse_empty(timetable_input_now)
        if fault := timetable_fault(timetable_input_now):
            raise ValidationError(fault.message.translated(gettext))
        if facts.draft:
            _drop(journal, facts.draft)
        timetable = Timetable.objects.create(
            event=event, ahead=ahead, input=input_json(timetable_input_now)
        )
        journal.add(
            TimetableAction.ASKED,
            timetable.public_id,
            {
                "event": event.public_id,
                "tables": len(timetable_input_now.tables),
                "input": sha256(timetable.input.encode()).hexdigest(),
            },
        )
        journal.state(TIMETABLE, [timetable])
        call_on_commit("floor.timetable.tasks.make_timetable", timetable.pk)
    return timetable


def timetable_make(*, timetable_id: int) -> None:
    """Make a timetable that was asked for; nothing happens for one that isn't waiting any more.

    The search holds nobody up: it goes by what was stored when it was asked for. Raise `Busy`
    while another process is at it, or at the event."""
    # OR-Tools and pandas: for the job that searches
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
            _store(row, result)


def timetable_fail(*, timetable_id: int, reasons: Sequence[Message]) -> bool:
    """Note that a timetable could not be made, and why; False: it isn't waiting."""
    row = Timetable.objects.select_related("event").get(pk=timetable_id)
    with course_journal(row.event) as journal:
        return _fail(journal, row, reasons)


def _fail(journal: Journal, row: Timetable, reasons: Sequence[Message]) -> bool:
    """Note that a timetable could not be made, in the caller's transaction; False: it isn't
    waiting."""
    waiting = Timetable.objects.filter(pk=row.pk, status=Status.ASKED)
    if not waiting.update(status=Status.FAILED, failure=[reason.as_json() for reason in reasons]):
        return False
    journal.add(TimetableAction.FAILED, row.public_id)
    journal.state(TIMETABLE, [row], ["status"])
    return True


def _store(row: Timetable, result: MadeTimetable) -> None:
    """Keep what was found, unless it was taken back meanwhile; without its places and slots it is
    worth nothing."""
    with course_journal(row.event) as journal:
        slots = dict(Slot.objects.filter(event=row.event_id).values_list("public_id", "pk"))
        places = dict(HallPlace.objects.filter(event=row.event_id).values_list("public_id", "pk"))
        stages = dict(Stage.objects.filter(event=row.event_id).values_list("public_id", "pk"))
        if any(
            slot not in slots or place not in places for slot, place in result.assignment.values()
        ):
            _fail(journal, row, [say("places or times were taken away meanwhile; ask again")])
            return
        cost = [[wish, result.cost[wish], result.bound[wish]] for wish in result.cost]
        if not Timetable.objects.filter(pk=row.pk, status=Status.ASKED).update(
            status=Status.READY, cost=cost
        ):
            return
        keys = {key: key_of(key) for key in result.assignment}
        TimetableTable.objects.bulk_create(
            TimetableTable(
                timetable=row,
                stage_id=stages[keys[key].stage],
                round=keys[key].round_number,
                number=keys[key].number,
                slot_id=slots[slot],
                place_id=places[place],
            )
            for key, (slot, place) in result.assignment.items()
            if keys[key].stage in stages
        )
        payload = {
            "tables": len(result.assignment),
            "cost": {wish: number for wish, number, _ in cost},
            "digest": tables_digests([row.pk])[row.pk],
        }
        journal.add(TimetableAction.MADE, row.public_id, payload)
        journal.state(TIMETABLE, [row], ["status", "tables"])


def key_of(key: str) -> TableKey:
    """Return the table that is meant by an id in an input."""
    stage, round_number, number = key.split(".")
    return TableKey(stage, int(round_number), int(number))


def timetable_move(
    *, timetable: Timetable, moves: Mapping[TableKey, Timed], version_seen: int, actor: Actor
) -> bool:
    """Play tables at other times or places, for a reason; of a published timetable that is so at
    once, for everybody.

    `version_seen` is the version that the change was made from: who changed the timetable meanwhile
    is told. False: nothing is different. Raise `ValidationError`."""
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
        different = {key: timed for key, timed in moves.items() if before.get(key) != timed}
        stages = {row.public_id: row for row in Stage.objects.filter(event=event)}
        for key, timed in different.items():
            TimetableTable.objects.update_or_create(
                timetable=timetable_row,
                stage=stages[key.stage],
                round=key.round_number,
                number=key.number,
                defaults={"slot": timed.slot, "place": timed.place},
            )
        if different:
            digest = tables_digests([timetable_row.pk])[timetable_row.pk]
            for key, timed in different.items():
                change = {
                    "before": _words(before.get(key)),
                    "after": _words(timed),
                    "digest": digest,
                }
                journal.add(
                    TimetableAction.CHANGED, timetable_row.public_id, {"table": str(key), **change}
                )
            journal.state(TIMETABLE, [timetable_row], ["tables"])
            Timetable.objects.filter(pk=timetable_row.pk).update(version=F("version") + 1)
            if timetable_row.status == Status.PUBLISHED:
                tables_tell(event.pk)
    return bool(different)


def timetable_publish(*, timetable: Timetable, actor: Actor) -> bool:
    """Let everybody see a timetable, and give its times and places to the tables that are drawn;
    False: they do see it.

    It takes the place of the one that was published. Raise `ValidationError`.
    """
    event = timetable.event
    with _timetable_change(timetable, actor) as (journal, row):
        if row.status == Status.PUBLISHED:
            return False
        if row.status != Status.READY:
            raise ValidationError(gettext("There is no timetable to publish."))
        for before in Timetable.objects.filter(event=event, status=Status.PUBLISHED):
            _drop(journal, before)
        Timetable.objects.filter(pk=row.pk).update(status=Status.PUBLISHED)
        tables = timed_tables([row]).get(row.pk, {})
        tables_tell(event.pk)
        journal.add(TimetableAction.PUBLISHED, row.public_id, {"tables": len(tables)})
        journal.state(TIMETABLE, [row], ["status"])
    return True


def timetable_take_back(*, timetable: Timetable, actor: Actor) -> bool:
    """Stop the making of a timetable, drop one, or take a published one back: it is as it was
    before, unless another one has been asked for since; False: it isn't in use. Its tables have
    only their numbers again."""
    with _timetable_change(timetable, actor) as (journal, row):
        if row.status == Status.DROPPED:
            return False
        later_timetables = Timetable.objects.filter(event=timetable.event, pk__gt=row.pk).exclude(
            status=Status.DROPPED
        )
        again = row.status == Status.PUBLISHED and not later_timetables.exists()
        _drop(journal, row, Status.READY if again else Status.DROPPED)
    return True


@contextmanager
def _timetable_change(timetable: Timetable, actor: Actor) -> Iterator[tuple[Journal, Timetable]]:
    """A transaction as `hall_change` begins it, with the timetable's row; behind it the timetable
    is as it is stored then."""
    with hall_change(timetable.event, actor) as journal:
        yield journal, Timetable.objects.get(pk=timetable.pk)
    timetable.refresh_from_db()


def timetables_waiting() -> list[int]:
    """Timetables that were asked for and aren't made, in the order in which they were asked for."""
    return list(
        Timetable.objects.filter(status=Status.ASKED)
        .order_by("asked_at")
        .values_list("pk", flat=True)
    )


def _refuse_empty(timetable_input_now: TimetableInput) -> None:
    """Raise `ValidationError` where there is nothing to plan, or to plan with."""
    if not timetable_input_now.tables:
        raise ValidationError(
            gettext("There are no tables to plan: start a stage and draw a round.")
        )
    if not timetable_input_now.places:
        raise ValidationError(gettext("Add places to play first."))
    if not timetable_input_now.slots:
        raise ValidationError(gettext("Add times of play first."))


def _drop(journal: Journal, timetable: Timetable, status: str = Status.DROPPED) -> None:
    """Let go of a timetable; if it was published, its tables have only their numbers again."""
    Timetable.objects.filter(pk=timetable.pk).update(status=status)
    if timetable.status == Status.PUBLISHED:
        tables_tell(timetable.event_id)
    payload = {"status": status} if status == Status.READY else {"status": status, "digest": ""}
    journal.add(TimetableAction.DROPPED, timetable.public_id, payload)
    journal.state(TIMETABLE, [timetable], ["status", "tables"])


def _words(timed: Timed | None) -> list[str] | None:
    return [timed.slot.starts_at.isoformat(), str(timed.place)] if timed else None
