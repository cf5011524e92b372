"""Entering oneself: with an account that isn't a player yet, or without an account by an email that
confirms it.
"""

from __future__ import annotations

from typing import Final

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import F
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext

from league.core.account.models import User
from league.core.frame.letter_link import digest_of, new_token
from league.core.log.services import Actor, club_journal
from league.core.player.services.player import newcomer_create, word_checked
from league.events.entry.models import CONFIRMED_WITHIN, KEPT_AFTER, Entry, EntryByMail
from league.events.entry.services.entry import entry_take, refuse_closed
from league.events.event.models import Event
from league.events.event.services import event_hold

LINKS_KEPT: Final = 10
"""The links of this many latest emails open an entry; older links stop working."""


def newcomer_enter(*, event: Event, account: User, name: str) -> Entry:
    """Create a player of the event's club for an account, and enter them.

    Raise `ValidationError` with messages by field, for instance if the name looks like another
    player's.
    """
    with club_journal(event.club_id, Actor(account.pk)) as journal:
        refuse_closed(event_hold(event))
        player = newcomer_create(journal, name, account=account)
        return entry_take(journal, event, player, guest=False, by_organiser=False)


@transaction.atomic
def entry_by_mail_ask(*, event: Event, name: str, email: str) -> tuple[str, str]:
    """Store a request to enter without an account. Return the token for the email, which isn't
    stored, and the address to send it to.

    The request gives nobody a place. Asking again with the same mailbox makes a new token, and the
    former ones stay valid, because anybody may ask with anybody's address. A confirmed entry stays
    as it is; its email goes to the address that confirmed it. Raise `ValidationError` with messages
    by field.
    """
    refuse_closed(event_hold(event))
    checked_name = word_checked("name", name)
    token = new_token()
    request = EntryByMail.objects.filter(event=event, mailbox=mailbox(email)).first()
    if request is None:
        request = EntryByMail(event=event, mailbox=mailbox(email), digests=[])
    request.digests = [digest_of(token), *request.digests][:LINKS_KEPT]
    request.asked_at = timezone.now()
    if request.entry_id is None:
        request.name = checked_name
        request.email = email
    request.save()
    return token, request.email


@transaction.atomic
def entry_by_mail_link(*, by_mail: EntryByMail) -> str:
    """Make an additional token for a request; those of its emails stay valid.

    Raise `EntryByMail.DoesNotExist` if the request was deleted meanwhile.
    """
    request = EntryByMail.objects.select_for_update().get(pk=by_mail.pk)
    token = new_token()
    request.digests = [digest_of(token), *request.digests][:LINKS_KEPT]
    request.save(update_fields=["digests"])
    return token


def entry_by_mail_confirm(*, by_mail: EntryByMail, name: str) -> Entry:
    """Create the player and the entry that an email's link confirms. Idempotent.

    Raise `ValidationError` with messages by field, for instance if the name looks like another
    player's or entries are closed by now, and `EntryByMail.DoesNotExist` if the request was deleted
    meanwhile.
    """
    event = Event.objects.get(pk=by_mail.event_id)
    with club_journal(event.club_id) as journal:
        event_row = event_hold(event)
        row = EntryByMail.objects.select_for_update().get(pk=by_mail.pk)
        if row.entry_id is None:
            refuse_closed(event_row)
            player = newcomer_create(journal, name)
            row.entry = entry_take(journal, event, player, guest=False, by_organiser=False)
            row.name = player.name
            row.save(update_fields=["entry", "name"])
        assert row.entry is not None
        return row.entry


def entries_by_mail_forget() -> None:
    """Delete the requests that weren't confirmed in time, and those of events long over."""
    EntryByMail.objects.filter(entry=None, asked_at__lt=Now() - CONFIRMED_WITHIN).delete()
    requests = EntryByMail.objects.annotate(at=F("event__starts_at"))
    requests.filter(at__lt=Now() - KEPT_AFTER).delete()


def mailbox(email: str) -> str:
    """Return a normalised address: in lower case, without the part after a plus, which leads to the
    same mailbox. Raise `ValidationError` for an invalid address."""
    name, at, domain = email.strip().casefold().rpartition("@")
    name = name.partition("+")[0]
    if not (name and at and domain):
        raise ValidationError({"email": gettext("Write an email address.")})
    return f"{name}@{domain}"
