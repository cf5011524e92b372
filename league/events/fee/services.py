"""Fees: noting who has paid for an event, and who needn't pay."""

from __future__ import annotations

from collections.abc import Sequence

from django.core.exceptions import ValidationError
from django.utils.translation import gettext

from league.core.log.services import Actor, club_journal
from league.events.entry.actions import EntryAction
from league.events.entry.models import ENTRY, Entry, FeeStatus
from league.events.event.models import Event
from league.events.event.services import event_hold


def fees_set(*, event: Event, entries: Sequence[Entry], fee: FeeStatus, actor: Actor) -> int:
    """Set the fee of entries to paid, free or open; return how many have changed. This is possible
    whatever the status of an entry, and also after the event.

    Raise `ValidationError` if the event has no fee, unless fees are set to open again.
    """
    with club_journal(event.club_id, actor) as journal:
        stored_event = event_hold(event)
        if stored_event.fee is None and fee != FeeStatus.OPEN:
            message = gettext(
                "This event is free. To charge a fee, set an amount in its settings first."
            )
            raise ValidationError(message)

        rows = Entry.objects.filter(event=event.pk, pk__in=[entry.pk for entry in entries])
        changing = list(rows.exclude(fee=fee).order_by("number"))
        payment = stored_event.fee if fee == FeeStatus.PAID else None
        changed_rows = Entry.objects.filter(pk__in=[entry.pk for entry in changing])
        changed_rows.update(fee=fee, payment=payment)
        for entry in changing:
            before = {"fee": entry.fee, "payment": entry.payment}
            after = {"fee": fee, "payment": payment}
            payload = {"before": before, "after": after}
            journal.add(EntryAction.FEE_CHANGED, entry.public_id, payload)
            journal.record(ENTRY, [entry], after)
    return len(changing)
