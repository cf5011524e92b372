"""Fees: what came in for an event, and who has paid. For its organisers alone."""

from __future__ import annotations

from typing import Any, Final

from rest_framework import serializers

from league.entries.api.entry import EntriesSerializer, EntryView, NamedEntriesBody
from league.entries.models import FeeStatus
from league.entries.queries.fee import fee_totals
from league.entries.services.fee import fees_set
from league.events.models import Event
from league.frame.api.operation import reads
from league.frame.api.serializers import Serializer
from league.log.services import Actor
from league.seasons.api.writing import changes

PAID: Final = {"entries": ["m6tz2kq9xr"], "fee": "paid"}


class FeesSerializer(Serializer):
    """The fees of an event: amounts in hundredths of its currency, and how many entries."""

    fee = serializers.IntegerField(allow_null=True, help_text="What an entry costs; null: nothing.")
    currency = serializers.CharField(help_text="That of the club, by its code (ISO 4217).")
    total = serializers.IntegerField(help_text="What has come in.")
    owed = serializers.IntegerField(help_text="What is still to come of those who have a place.")
    paid = serializers.IntegerField()
    free = serializers.IntegerField()
    debtors = serializers.IntegerField(help_text="Those who haven’t paid yet.")


class FeeBody(NamedEntriesBody):
    """The fee of entries: `paid`, `free` for who needn't pay, or `open` again."""

    fee = serializers.ChoiceField(FeeStatus.choices)


class Fees(EntryView):
    """The fees of an event."""

    for_organisers = True

    @reads("An event's fees", FeesSerializer)
    def get_fees(self, event: Event) -> dict[str, Any]:
        """What has come in for an event, and what is open; for organisers. Each entry tells its own `fee`."""
        return {"fee": event.fee, "currency": event.club.currency, **fee_totals(event)._asdict()}

    @changes("Note who has paid", FeeBody, EntriesSerializer, example=PAID)
    def set_fees(self, event: Event, body: dict[str, Any], actor: Actor) -> dict[str, Any]:
        """Note that entries have paid, needn't, or have the fee open again, as an organiser. It is no payment."""
        entries = self.named_entries(body["entries"])
        fees_set(event=event, entries=entries, fee=FeeStatus(body["fee"]), actor=actor)
        return self.stored(entries)
