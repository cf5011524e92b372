"""Entering oneself: by an account that is no player yet, or without an account by a letter that
confirms it."""

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
"""Links of so many letters open an entry; the older ones go."""


def newcomer_enter(*, event: Event, account: User, name: str) -> Entry:
    """Make an account a new player of the event's club, and enter that one.

    Raises `ValidationError` by field, as for a name that looks like another player's.
    """
    with club_journal(event.club_id, Actor(account.pk)) as journal:
        refuse_closed(event_hold(event))
        return entry_take(
            journal,
            event,
            newcomer_create(journal, name, account=account),
            guest=False,
            by_organiser=False,
        )


@transaction.atomic
def entry_by_mail_ask(*, event: Event, name: str, email: str) -> tuple[str, str]:
    """Note down who wants to enter without an account; returns the token for the letter, the only
    time it is known, and the address that it goes to.

    Nobody has a place by this. Whoever asks again with the same mailbox gets a new token, and the
    former ones open the same: anybody may ask with anybody's address. An entry that was confirmed
    stays as it is: its letter goes to the address by which it was. Raises `ValidationError` by
    field."""
    refuse_closed(event_hold(event))
    word = word_checked("name", name)
    token = new_token()
    wish = EntryByMail.objects.filter(event=event, mailbox=mailbox(email)).first()
    if wish is None:
        wish = EntryByMail(event=event, mailbox=mailbox(email), digests=[])
    wish.digests = [digest_of(token), *wish.digests][:LINKS_KEPT]
    wish.asked_at = timezone.now()
    if wish.entry_id is None:
        wish.name, wish.email = word, email
    wish.save()
    return token, wish.email


@transaction.atomic
def entry_by_mail_link(*, by_mail: EntryByMail) -> str:
    """Make one more token that opens what somebody asked for; those of letters open the same.

    Raises `EntryByMail.DoesNotExist` where it was forgotten meanwhile.
    """
    wish = EntryByMail.objects.select_for_update().get(pk=by_mail.pk)
    token = new_token()
    wish.digests = [digest_of(token), *wish.digests][:LINKS_KEPT]
    wish.save(update_fields=["digests"])
    return token


def entry_by_mail_confirm(*, by_mail: EntryByMail, name: str) -> Entry:
    """Make the player and the entry that a letter's link confirms; followed twice it is one entry.

    Raises `ValidationError` by field, as for a name that looks like another player's or if entries
    have been closed, and `EntryByMail.DoesNotExist` where it was forgotten meanwhile."""
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
    """Delete what nobody confirmed in time, and the addresses of events that are long over."""
    EntryByMail.objects.filter(entry=None, asked_at__lt=Now() - CONFIRMED_WITHIN).delete()
    EntryByMail.objects.annotate(at=F("event__starts_at")).filter(
        at__lt=Now() - KEPT_AFTER
    ).delete()


def mailbox(email: str) -> str:
    """An address as it is compared: without capitals, and without what follows a plus in its first
    part, which leads to the same mailbox. Raises `ValidationError` for none."""
    name, at, domain = email.strip().casefold().rpartition("@")
    name = name.partition("+")[0]
    if not (name and at and domain):
        raise ValidationError({"email": gettext("Write an email address.")})
    return f"{name}@{domain}"
