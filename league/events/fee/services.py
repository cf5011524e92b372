"""Fees: who has paid for an event, and who needn't."""

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
    """Note that entries of an event have paid its amount, needn't, or have it open again; returns
    for how many that is new. Whatever became of an entry, and also after the event.

    Raises `ValidationError` where the event has no amount, but to open what was noted before that.
    """
    with club_journal(event.club_id, actor) as journal:
        stored_event = event_hold(event)
        if stored_event.fee is None and fee != FeeStatus.OPEN:
            raise ValidationError(
                gettext("This event costs nothing: give it an amount in its settings first.")
            )
        rows = Entry.objects.filter(event=event.pk, pk__in=[entry.pk for entry in entries]).exclude(
            fee=fee
        )
        changing = list(rows.order_by("number"))
        payment = stored_event.fee if fee == FeeStatus.PAID else None
        Entry.objects.filter(pk__in=[entry.pk for entry in changing]).update(
            fee=fee, payment=payment
        )
        for entry in changing:
            before, after = (
                {"fee": entry.fee, "payment": entry.payment},
                {"fee": fee, "payment": payment},
            )
            journal.add(
                EntryAction.FEE_CHANGED, entry.public_id, {"before": before, "after": after}
            )
            journal.state(ENTRY, [entry], after)
    return len(changing)
