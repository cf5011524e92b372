"""Fees of an event: the amounts paid and open, and who hasn't paid. For its organisers only."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Sum
from django.db.models.functions import Coalesce

from league.core.log.models import LogEntry
from league.events.entry.actions import EntryAction
from league.events.entry.models import Entry, FeeStatus
from league.events.event.models import Event

OPEN = FeeStatus.OPEN
PAID = FeeStatus.PAID
FREE = FeeStatus.FREE


class FeeTotals(NamedTuple):
    """How many entries have paid, needn't pay and haven't paid yet, and the amounts paid and still
    owed, in cents.
    """

    paid: int
    free: int
    debtors: int
    total: int
    owed: int


class FeeNote(NamedTuple):
    """When the current state of a fee was noted, and by which account; empty for the service
    itself.
    """

    at: datetime
    by: str


def with_debts(entries: QuerySet[Entry]) -> QuerySet[Entry]:
    """Return the entries, each with whether its fee is still to be paid (`owes`): it is open, the
    entry has a place, and no other entry of the same person, from before a merge, has settled it.
    """
    person = Coalesce("player__merged_into", "player")
    settled = Entry.objects.filter(event=OuterRef("event")).exclude(fee=OPEN).alias(person=person)
    has_settled = Exists(settled.filter(person=OuterRef("person")))
    return entries.alias(person=person).annotate(
        owes=Q(fee=OPEN, status=Entry.Status.ENTERED) & ~has_settled
    )


def owing(event: Event) -> QuerySet[Entry]:
    """Return the entries of an event that haven't paid yet, by the players' names."""
    entries = with_debts(Entry.objects.filter(event=event)).filter(Q(owes=True))
    return entries.select_related("player").order_by("player__name_key", "pk")


def fee_entries(event: Event) -> QuerySet[Entry]:
    """Return the entries of an event with a place or a settled fee, by the players' names."""
    entries = with_debts(
        Entry.objects.filter(Q(status=Entry.Status.ENTERED) | ~Q(fee=OPEN), event=event)
    )
    return entries.select_related("player").order_by("player__name_key", "pk")


def fee_totals(event: Event) -> FeeTotals:
    """Return the totals of an event's fees, including those of withdrawn entries. One query."""
    counts = with_debts(Entry.objects.filter(event=event)).aggregate(
        paid=Count("pk", filter=Q(fee=PAID)),
        free=Count("pk", filter=Q(fee=FREE)),
        debtors=Count("pk", filter=Q(owes=True)),
        total=Coalesce(Sum("payment"), 0),
    )
    return FeeTotals(**counts, owed=counts["debtors"] * (event.fee or 0))


def fee_notes(event: Event, entries: Iterable[str]) -> dict[str, FeeNote]:
    """Return who noted the current fees of entries and when, by the entries' public ids. One
    query.
    """
    rows = LogEntry.objects.filter(
        club=event.club_id, action=EntryAction.FEE_CHANGED, subject__in=list(entries)
    )
    # The latest entry about each subject comes last, and so stays in the dictionary.
    latest = rows.order_by("position").values_list("subject", "at", "actor__username")
    return {subject: FeeNote(at, name or "") for subject, at, name in latest}
