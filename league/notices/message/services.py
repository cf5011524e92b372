"""Messages of organisers to all players who have a place in an event."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.core.exceptions import ValidationError
from django.db.models.functions import Now
from django.utils.translation import gettext

from league.core.log.services import Actor, club_journal
from league.events.entry.models import Entry
from league.events.event.models import Event
from league.notices.message.actions import MessageAction
from league.notices.message.models import EventMessage
from league.notices.notice.queries.notice import reached

MOST_A_DAY: Final = 5
"""The messages that an event sends in 24 hours at most, since each sends an email to everybody."""


def message_send(*, event: Event, subject: str, text: str, actor: Actor) -> EventMessage:
    """Store a message to all players who have a place in an event; a job sends it. Raise
    `ValidationError` if it is invalid, reaches nobody, or is one too many today.

    The log notes the message and the number of people, not its text, which could name somebody.
    """
    with club_journal(event.club_id, actor) as journal:
        locked_event = Event.objects.select_for_update(no_key=True).get(pk=event.pk)
        if locked_event.status in (Event.Status.DRAFT, Event.Status.CANCELLED):
            raise ValidationError(
                gettext("You can’t send messages about an event that’s a draft or cancelled.")
            )
        if not reached(locked_event).found:
            raise ValidationError(
                gettext(
                    "Nobody who has a place has an account or an email address, so the message "
                    "would reach nobody."
                )
            )
        last_day = Now() - timedelta(days=1)
        if (
            EventMessage.objects.filter(event=locked_event, sent_at__gt=last_day).count()
            >= MOST_A_DAY
        ):
            raise ValidationError(
                gettext("%(most)d messages went out in the last 24 hours. Send the next one later.")
                % {"most": MOST_A_DAY}
            )
        message = EventMessage(
            event=locked_event,
            subject=subject.strip(),
            text=text.strip(),
            sent_by_id=actor.account_id,
        )
        message.full_clean(exclude=["event", "sent_by"])
        message.save(force_insert=True)
        people = Entry.objects.filter(event=locked_event, status=Entry.Status.ENTERED).count()
        details = {"message": message.public_id, "people": people}
        journal.add(MessageAction.EVENT_MESSAGE, locked_event.public_id, details)
    return message
