"""All that entries forget of a player who is erased."""

from __future__ import annotations

from collections.abc import Sequence
from re import Pattern

from league.core.log.erasure import entry_texts_forget
from league.core.player.models import Player
from league.events.entry.actions import EntryAction
from league.events.entry.models import Entry, EntryByMail
from league.events.wall_list.models import ClaimRequest


def mail_entries_forget(players: Sequence[Player], names: Pattern[str]) -> None:
    """Forget the addresses with which players of one club entered, and what was asked for under
    such a name and not confirmed; its link then opens nothing. Phones that wait for their names go,
    too. Entries stay, with the pseudonym."""
    ClaimRequest.objects.filter(entry__player__in=players).delete()
    EntryByMail.objects.filter(entry__player__in=players).delete()
    unconfirmed = EntryByMail.objects.filter(entry=None, event__club=players[0].club_id)
    EntryByMail.objects.filter(
        pk__in=[by_mail.pk for by_mail in unconfirmed if names.search(by_mail.name)]
    ).delete()


def labels_forget(players: Sequence[Player]) -> None:
    """Forget for which club or town players of one club were entered, in the log, too."""
    entries = Entry.objects.filter(player__in=players).exclude(label="")
    public_ids = list(entries.values_list("public_id", flat=True))
    entry_texts_forget(players[0].club_id, EntryAction.LABELLED, public_ids, "label")
    entries.update(label="")
