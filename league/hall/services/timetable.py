"""Timetables: asked for, made by a job, moved by hand, published, taken back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from django.core.exceptions import ValidationError
from django.db.models import F
from django.utils.translation import gettext

from engine.illegal import Illegal
from engine.messages import Message, say
from engine.pairing.timetables.timetable_input import TimetableInput, timetable_fault
from league.events.models import Event
from league.hall.actions import TimetableAction
from league.hall.domain.timetable import TableKey, Timed, input_json, input_read, timetable_input
from league.hall.models import HallPlace, Slot, Timetable, TimetableTable
from league.hall.queries.timetable import timed_tables, timetable_facts
from league.hall.services.hall import hall_change, tables_tell
from league.jobs import call_on_commit
from league.locks import Space, session_lock, transaction_lock_patient
from league.log.services import Actor, Journal, club_journal
from league.stages.models import Stage

if TYPE_CHECKING:
    from engine.pairing.timetables.timetable import Timetable as MadeTimetable

Status = Timetable.Status


def timetable_ask(*, event: Event, first: Slot | None, ahead: bool, actor: Actor) -> Timetable:
    """Ask for a timetable of all tables that are drawn and not finished, from the slot `first` on; `ahead`: and of the
    rounds still to come. A job makes it. One that isn't published is dropped.

    Raises `ValidationError`: nothing to plan, or with; more than can be planned; one is being made.
    """
    with hall_change(event, actor) as journal:
        facts = timetable_facts(event)
        if facts.draft and facts.draft.status == Status.ASKED:
            raise ValidationError(gettext("A timetable is being made already."))
        wanted = timetable_input(facts, ahead=ahead, first=first)
        _refuse_empty(wanted)
        if fault := timetable_fault(wanted):
            raise ValidationError(fault.message.translated(gettext))
        if facts.draft:
            _drop(journal, facts.draft)
        asked = Timetable.objects.create(event=event, ahead=ahead, input=input_json(wanted))
        journal.add(TimetableAction.ASKED, asked.public_id, {"event": event.public_id, "tables": len(wanted.tables)})
        call_on_commit("hall.tasks.make_timetable", asked.pk)
    return asked


def timetable_make(*, timetable_id: int) -> None:
    """Make a timetable that was asked for; nothing happens for one that isn't waiting any more.

    The search holds nobody up: it goes by what was stored when it was asked for. Raises `Busy` while another process is
    at it, or at the event.
    """
    # OR-Tools and pandas: for the job that searches
    from engine.pairing.timetables.timetable import Impossible, timetable

    with session_lock(Space.TIMETABLE, timetable_id):
        found = Timetable.objects.select_related("event").get(pk=timetable_id)
        if found.status != Status.ASKED:
            return
        made = timetable(input_read(found.input))
        if isinstance(made, Illegal | Impossible):
            reasons = (made.message,) if isinstance(made, Illegal) else made.reasons
            timetable_fail(timetable_id=timetable_id, reasons=reasons)
        else:
            _store(found, made)


def timetable_fail(*, timetable_id: int, reasons: Sequence[Message]) -> bool:
    """Note that a timetable could not be made, and why; False: it isn't waiting."""
    found = Timetable.objects.select_related("event").get(pk=timetable_id)
    with club_journal(found.event.club_id) as journal:
        transaction_lock_patient(Space.EVENT, found.event_id)
        waiting = Timetable.objects.filter(pk=timetable_id, status=Status.ASKED)
        if not waiting.update(status=Status.FAILED, failure=[reason.as_json() for reason in reasons]):
            return False
        journal.add(TimetableAction.FAILED, found.public_id)
    return True


def _store(found: Timetable, made: MadeTimetable) -> None:
    """Keep what was found, unless it was taken back meanwhile; without its places and slots it is worth nothing."""
    with club_journal(found.event.club_id) as journal:
        transaction_lock_patient(Space.EVENT, found.event_id)
        slots = dict(Slot.objects.filter(event=found.event_id).values_list("public_id", "pk"))
        places = dict(HallPlace.objects.filter(event=found.event_id).values_list("public_id", "pk"))
        stages = dict(Stage.objects.filter(event=found.event_id).values_list("public_id", "pk"))
        if any(slot not in slots or place not in places for slot, place in made.assignment.values()):
            reasons = [say("places or times were taken away meanwhile; ask again").as_json()]
            if Timetable.objects.filter(pk=found.pk, status=Status.ASKED).update(status=Status.FAILED, failure=reasons):
                journal.add(TimetableAction.FAILED, found.public_id)
            return
        cost = [[wish, made.cost[wish], made.bound[wish]] for wish in made.cost]
        if not Timetable.objects.filter(pk=found.pk, status=Status.ASKED).update(status=Status.READY, cost=cost):
            return
        keys = {id: key_of(id) for id in made.assignment}
        TimetableTable.objects.bulk_create(
            TimetableTable(
                timetable=found,
                stage_id=stages[keys[id].stage],
                round=keys[id].round,
                number=keys[id].number,
                slot_id=slots[slot],
                place_id=places[place],
            )
            for id, (slot, place) in made.assignment.items()
            if keys[id].stage in stages
        )
        payload = {"tables": len(made.assignment), "cost": {wish: number for wish, number, _ in cost}}
        journal.add(TimetableAction.MADE, found.public_id, payload)


def key_of(id: str) -> TableKey:
    """The table that is meant by an id in an input."""
    stage, round, number = id.split(".")
    return TableKey(stage, int(round), int(number))


def timetable_move(*, timetable: Timetable, moves: Mapping[TableKey, Timed], known: int, actor: Actor) -> bool:
    """Play tables at other times or places, for a reason; of a published timetable that is so at once, for everybody.

    `known` is the version that the change was made from: who changed the timetable meanwhile is told. False: nothing
    is different. Raises `ValidationError`.
    """
    event = timetable.event
    if not actor.reason:
        raise ValidationError({"reason": gettext("Say why the timetable is changed.")})
    with hall_change(event, actor) as journal:
        stored = Timetable.objects.get(pk=timetable.pk)
        if stored.status not in (Status.READY, Status.PUBLISHED):
            raise ValidationError(gettext("This timetable isn’t in use any more."))
        if stored.version != known:
            raise ValidationError(gettext("Somebody else has changed the timetable meanwhile. Look at it again."))
        before = timed_tables([stored]).get(stored.pk, {})
        different = {key: timed for key, timed in moves.items() if before.get(key) != timed}
        stages = {row.public_id: row for row in Stage.objects.filter(event=event)}
        for key, timed in different.items():
            TimetableTable.objects.update_or_create(
                timetable=stored,
                stage=stages[key.stage],
                round=key.round,
                number=key.number,
                defaults={"slot": timed.slot, "place": timed.place},
            )
            change = {"before": _words(before.get(key)), "after": _words(timed)}
            journal.add(TimetableAction.CHANGED, stored.public_id, {"table": str(key), **change})
        if different:
            Timetable.objects.filter(pk=stored.pk).update(version=F("version") + 1)
            if stored.status == Status.PUBLISHED:
                tables_tell(event.pk)
    timetable.refresh_from_db()
    return bool(different)


def timetable_publish(*, timetable: Timetable, actor: Actor) -> bool:
    """Let everybody see a timetable, and give its times and places to the tables that are drawn; False: they do see it.

    It takes the place of the one that was published. Raises `ValidationError`.
    """
    event = timetable.event
    with hall_change(event, actor) as journal:
        stored = Timetable.objects.get(pk=timetable.pk)
        if stored.status == Status.PUBLISHED:
            return False
        if stored.status != Status.READY:
            raise ValidationError(gettext("There is no timetable to publish."))
        for before in Timetable.objects.filter(event=event, status=Status.PUBLISHED):
            _drop(journal, before)
        Timetable.objects.filter(pk=stored.pk).update(status=Status.PUBLISHED)
        tables = timed_tables([stored]).get(stored.pk, {})
        tables_tell(event.pk)
        journal.add(TimetableAction.PUBLISHED, stored.public_id, {"tables": len(tables)})
    timetable.refresh_from_db()
    return True


def timetable_take_back(*, timetable: Timetable, actor: Actor) -> bool:
    """Stop the making of a timetable, drop one, or take a published one back: it is as it was before, unless another
    one has been asked for since; False: it isn't in use. Its tables have only their numbers again."""
    event = timetable.event
    with hall_change(event, actor) as journal:
        stored = Timetable.objects.get(pk=timetable.pk)
        if stored.status == Status.DROPPED:
            return False
        _drop(journal, stored)
        others = Timetable.objects.filter(event=event, pk__gt=stored.pk).exclude(status=Status.DROPPED)
        if stored.status == Status.PUBLISHED and not others.exists():
            Timetable.objects.filter(pk=stored.pk).update(status=Status.READY)
    timetable.refresh_from_db()
    return True


def timetables_waiting() -> list[int]:
    """Timetables that were asked for and aren't made, in the order in which they were asked for."""
    return list(Timetable.objects.filter(status=Status.ASKED).order_by("asked_at").values_list("pk", flat=True))


def _refuse_empty(wanted: TimetableInput) -> None:
    """Raise `ValidationError` where there is nothing to plan, or to plan with."""
    if not wanted.tables:
        raise ValidationError(gettext("There are no tables to plan: start a stage, and draw a round."))
    if not wanted.places:
        raise ValidationError(gettext("Say first at which places tables can be played."))
    if not wanted.slots:
        raise ValidationError(gettext("Say first at which times tables are played."))


def _drop(journal: Journal, timetable: Timetable) -> None:
    """Let go of a timetable; if it was published, its tables have only their numbers again."""
    Timetable.objects.filter(pk=timetable.pk).update(status=Status.DROPPED)
    if timetable.status == Status.PUBLISHED:
        tables_tell(timetable.event_id)
    journal.add(TimetableAction.DROPPED, timetable.public_id)


def _words(timed: Timed | None) -> list[str] | None:
    return [timed.slot.starts_at.isoformat(), str(timed.place)] if timed else None
