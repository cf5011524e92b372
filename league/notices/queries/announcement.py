"""All that an entry of a club's log is to tell whom: the notices that it makes, from how things stand now.

A job may come late to an entry. What is no longer so (a round that was taken back, a place given up) is told nobody.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import Any, Final, NamedTuple

from django.db.models import F, Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils import timezone

from league.draws.actions import RoundAction
from league.entries.actions import EntryAction
from league.entries.models import Entry
from league.entries.queries.entry import waiting_place
from league.events.actions import EventAction
from league.events.models import Event
from league.log.actions import ACTIONS, Action
from league.log.models import LogEntry
from league.notices.actions import MessageAction
from league.notices.models import EventMessage, Notice
from league.placings.domain.place import stage_places
from league.placings.models import FinalRank
from league.stages.actions import StageAction
from league.stages.models import Stage
from league.tables.domain.result import group_ranking
from league.tables.domain.stage import DRAWN
from league.tables.models import StageRound, TableSeat
from league.tables.queries.stage import stage_facts

LATE: Final = timedelta(days=2)
"""What happened longer ago is told nobody any more: after a long silence old news would come in heaps."""
SHOWN: Final = ("starts_at", "ends_at", "venue")
"""What of an event, when it changes, those who come have to know."""
OCCASION_OF_STATUS: Final = {
    Entry.Status.ENTERED: Notice.Occasion.ENTERED,
    Entry.Status.WAITING: Notice.Occasion.WAITING,
}


class Announced(NamedTuple):
    """An entry with what it says, and the event that it tells of."""

    entry: LogEntry
    payload: dict[str, Any]
    event: Event

    def notice(self, entry: Entry, occasion: Notice.Occasion, subject: str, **parameters: Any) -> Notice:
        """A notice of it for whose entry (of `told_of`) this is, not stored."""
        account: int | None = entry.account  # type: ignore[attr-defined]
        return Notice(
            user_id=account,
            by_mail_id=entry.mailed if account is None else None,  # type: ignore[attr-defined]
            club_id=self.entry.club_id,
            position=self.entry.position,
            subject=subject,
            occasion=occasion,
            event=self.event,
            parameters=parameters,
        )


def notices_of(entry: LogEntry) -> list[Notice]:
    """The notices that an entry of the log makes, not stored: none for what nobody has to be told."""
    if entry.at < timezone.now() - LATE:
        return []
    event = _event_of(entry)
    if event is None or not event.announced:
        return []
    made: Iterable[Notice] = MAKERS[ACTIONS[entry.action]](Announced(entry, json.loads(entry.payload), event))
    return list(made)


def _event_of(entry: LogEntry) -> Event | None:
    """The event that an entry tells of, with its club; None if there is none any more."""
    events = Event.objects.select_related("club")
    return events.filter(club=entry.club_id, **{SUBJECTS[entry.action.partition(".")[0]]: entry.subject}).first()


SUBJECTS: Final = {
    "event": "public_id",
    "entry": "entries__public_id",
    "stage": "stages__public_id",
    "round": "stages__stage_rounds__public_id",
}
"""How an event is found by the subject of an entry, by the first word of its action."""
ACCOUNT: Final = Coalesce("player__user", "player__merged_into__user")
"""The account of an entry: that of its player, or of the one whom the player was merged into."""


def told_of(entries: QuerySet[Entry]) -> QuerySet[Entry]:
    """Entries of people whom a notice finds, by an account or by the address with which they entered; each with its
    `account`, the `mailed` row and its player."""
    found = entries.select_related("player").annotate(account=ACCOUNT, mailed=F("by_mail"))
    return found.filter(Q(account__isnull=False) | Q(mailed__isnull=False)).order_by("number")


def _place(it: Announced) -> Iterable[Notice]:
    """Somebody was entered, came back, or moved up."""
    status = it.payload.get("status") or it.payload.get("after", {}).get("status") or Entry.Status.ENTERED
    for entry in told_of(Entry.objects.filter(public_id=it.entry.subject, status=status)):
        if it.entry.action == EntryAction.MOVED_UP:
            yield it.notice(entry, Notice.Occasion.MOVED_UP, entry.public_id)
        elif occasion := OCCASION_OF_STATUS.get(Entry.Status(entry.status)):
            waits = {"place": waiting_place(entry)} if entry.status == Entry.Status.WAITING else {}
            yield it.notice(entry, occasion, entry.public_id, **waits)


def _place_changed(it: Announced) -> Iterable[Notice]:
    """Somebody who had withdrawn came back, or was withdrawn by somebody else; of all other changes of an entry nobody
    is told."""
    status = it.payload["after"].get("status")
    if status == Entry.Status.WITHDRAWN:
        return _withdrawn(it)
    return _place(it) if status in OCCASION_OF_STATUS else ()


def _withdrawn(it: Announced) -> Iterable[Notice]:
    """An organiser withdrew an entry. Who withdrew the own one knows; a letter's link does so without an account."""
    by = it.entry.actor_id
    for entry in told_of(Entry.objects.filter(public_id=it.entry.subject, status=Entry.Status.WITHDRAWN)):
        account: int | None = entry.account  # type: ignore[attr-defined]
        if by is not None and by != account:
            yield it.notice(entry, Notice.Occasion.WITHDRAWN, entry.public_id)


def _event_changed(it: Announced) -> Iterable[Notice]:
    """An event has another time or place, is cancelled, or is over."""
    before, after = it.payload.get("before", {}), it.payload.get("after", {})
    if after.get("status") == Event.Status.FINISHED == it.event.status:
        yield from _finished(it)
        return
    comes = Entry.objects.filter(event=it.event, status__in=OCCASION_OF_STATUS)
    if after.get("status") == Event.Status.CANCELLED == it.event.status:
        for entry in told_of(comes):
            yield it.notice(entry, Notice.Occasion.CANCELLED, it.event.public_id)
    elif changed := [name for name in SHOWN if name in after]:
        change = {"before": {name: before[name] for name in changed}, "after": {name: after[name] for name in changed}}
        for entry in told_of(comes):
            yield it.notice(entry, Notice.Occasion.CHANGED, it.event.public_id, **change)


def _finished(it: Announced) -> Iterable[Notice]:
    ranks = dict(FinalRank.objects.filter(event=it.event).values_list("entry", "rank"))
    for entry in told_of(Entry.objects.filter(event=it.event, status=Entry.Status.ENTERED)):
        ranked = {"rank": ranks[entry.pk], "count": len(ranks)} if entry.pk in ranks else {}
        yield it.notice(entry, Notice.Occasion.FINISHED, entry.public_id, **ranked)


def _stage_finished(it: Announced) -> Iterable[Notice]:
    """Those who took part in a stage are told where they stand: in its bracket, its ladder or its ranking, or in that
    of their group."""
    stage = Stage.objects.select_related("event__season__ranking", "event__club").get(public_id=it.entry.subject)
    if stage.status != Stage.Status.FINISHED:
        return
    facts = stage_facts(stage)
    places: dict[str, dict[str, Any]] = {}
    for group in facts.groups:
        rows = group_ranking(facts, group.pk)
        for row in rows:
            places[row.participant.id] = {"rank": row.rank, "count": len(rows), "group": group.name}
    if stage.by_place:
        placed = stage_places(facts)
        for one in placed:
            places[facts.members[one.entry].id] = {"rank": one.place, "count": len(placed), "group": ""}
    for entry in told_of(Entry.objects.filter(participations__stage=stage)):
        place = places.get(entry.public_id, {})
        yield it.notice(entry, Notice.Occasion.STAGE_FINISHED, entry.public_id, stage=stage.name, **place)


def _round_published(it: Announced) -> Iterable[Notice]:
    """Everybody who sits at a table is told which one. Of a draw that was changed by hand, who sits otherwise now."""
    stage_round = StageRound.objects.select_related("stage").get(public_id=it.entry.subject)
    if stage_round.status not in DRAWN:
        return
    known = _tables_told(stage_round) if it.entry.action == RoundAction.CHANGED else {}
    seats = TableSeat.objects.filter(table__stage_round=stage_round).select_related("table", "entry__player")
    tables: dict[int, list[TableSeat]] = {}
    for seat in seats.order_by("table__number", "seat"):
        tables.setdefault(seat.table_id, []).append(seat)
    seated = {seat.entry_id: seats for seats in tables.values() for seat in seats}
    for entry in told_of(Entry.objects.filter(pk__in=seated)):
        table = seated[entry.pk][0].table
        parameters = {
            "round": stage_round.number,
            "stage": stage_round.stage.name,
            "stage_round": stage_round.public_id,
            "table": table.public_id,
            "place": table.place or str(table.number),
            "starts_at": table.starts_at.isoformat() if table.starts_at else "",
            "own": entry.player.public_id,
            "seats": [seat.entry.player.public_id for seat in seated[entry.pk]],
        }
        if known.get(entry.public_id) != parameters:
            yield it.notice(entry, Notice.Occasion.TABLE, entry.public_id, **parameters)


def _tables_told(stage_round: StageRound) -> dict[str, dict[str, Any]]:
    """Read what was told last of a round, by entry."""
    rows = Notice.objects.filter(parameters__stage_round=stage_round.public_id, occasion=Notice.Occasion.TABLE)
    rows = rows.filter(event__stages=stage_round.stage_id).order_by("position")
    return dict(rows.values_list("subject", "parameters"))


def _round_taken_back(it: Announced) -> Iterable[Notice]:
    """Whoever was told of a table is told that it doesn't hold."""
    stage_round = StageRound.objects.select_related("stage").get(public_id=it.entry.subject)
    entries = told_of(Entry.objects.filter(public_id__in=_tables_told(stage_round)))
    for entry in entries:
        parameters = {"round": stage_round.number, "stage": stage_round.stage.name}
        yield it.notice(entry, Notice.Occasion.TAKEN_BACK, entry.public_id, **parameters)


def _message(it: Announced) -> Iterable[Notice]:
    """Everybody who has a place hears what the organisers wrote."""
    message = EventMessage.objects.get(event=it.event, public_id=it.payload["message"])
    for entry in told_of(Entry.objects.filter(event=it.event, status=Entry.Status.ENTERED)):
        yield it.notice(entry, Notice.Occasion.MESSAGE, message.public_id)


MAKERS: Final[dict[Action, Callable[[Announced], Iterable[Notice]]]] = {
    EntryAction.ADDED: _place,
    EntryAction.CHANGED: _place_changed,
    EntryAction.MOVED_UP: _place,
    EventAction.CHANGED: _event_changed,
    MessageAction.EVENT_MESSAGE: _message,
    RoundAction.PUBLISHED: _round_published,
    RoundAction.CHANGED: _round_published,
    RoundAction.TAKEN_BACK: _round_taken_back,
    StageAction.FINISHED: _stage_finished,
}
"""What makes the notices of each action; of all others nobody is told."""
