"""Erasing players' data from entries."""

from __future__ import annotations

from collections.abc import Sequence
from re import Pattern

from league.core.log.erasure import entry_texts_forget
from league.core.player.models import Player
from league.events.entry.actions import EntryAction
from league.events.entry.models import Entry, EntryByMail
from league.events.wall_list.models import ClaimRequest


def mail_entries_forget(players: Sequence[Player], names: Pattern[str]) -> None:
    """Delete the mail addresses with which players of one club entered, unconfirmed requests under
    such a name, and requests of phones to be linked with one of the players. Entries stay, with the
    pseudonym."""
    ClaimRequest.objects.filter(entry__player__in=players).delete()
    EntryByMail.objects.filter(entry__player__in=players).delete()
    unconfirmed = EntryByMail.objects.filter(entry=None, event__club=players[0].club_id)
    named = [by_mail.pk for by_mail in unconfirmed if names.search(by_mail.name)]
    EntryByMail.objects.filter(pk__in=named).delete()


def labels_forget(players: Sequence[Player]) -> None:
    """Delete the clubs or towns for which players of one club were entered, also from the log."""
    entries = Entry.objects.filter(player__in=players).exclude(label="")
    public_ids = list(entries.values_list("public_id", flat=True))
    entry_texts_forget(players[0].club_id, EntryAction.LABELLED, public_ids, "label")
    entries.update(label="")
